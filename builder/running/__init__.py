"""What runs: programs, here and on other releases, and what watches them."""
