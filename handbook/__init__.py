"""The machinery behind the handbook: what stands higher in README.md's list imports what stands
lower, never the reverse."""
