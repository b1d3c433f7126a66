"""Questions to a verified bundle: who vouches for a move, what that proves, where stories part.

`question.parse_question` reads a question, `attestations.attestations` answers it, and
`stories.story_partings` compares two bundles. May import what of `verify` its entry imports too.
"""
