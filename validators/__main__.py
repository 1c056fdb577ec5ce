"""``python -m hexsight.validators > docs/checks.md`` writes the page of all checks."""

from __future__ import annotations

import sys

from hexsight.validators.documentation import checks_page

if __name__ == "__main__":
    sys.stdout.write(checks_page())
