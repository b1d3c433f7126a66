"""Scripts, styles and HTML for a browser, and what joins them into pages.

Pages of the service have a folder each: `lobby`, `table`, `replay`; what these share is in `play`.
`client`, which asks the service, is the npm package of `clients/js` too. `parts` draws positions,
`feed` reads games, `dispute` shows verdicts, `verifier` checks bundles. `styles` has all style
sheets. `joiner` makes one script and one style of them, and pages that need no server.
May import the words of the domain.
"""
