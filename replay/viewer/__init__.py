"""A game as a page that plays it back: what the page is fed, and the page itself."""
