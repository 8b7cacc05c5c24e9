"""The build and the commands. CONTRIBUTING.md lists the modules; each imports only lower ones."""
