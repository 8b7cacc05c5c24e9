"""What readers get: composed pages, notebooks, the search, the built site."""
