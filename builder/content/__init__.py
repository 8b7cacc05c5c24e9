"""What writers write, read: programs, pages, formulas, and what is recorded of other releases."""
