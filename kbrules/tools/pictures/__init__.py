"""Pictures: boards as SVG and PNG, whole games as one HTML file, an author's cards for printing."""
