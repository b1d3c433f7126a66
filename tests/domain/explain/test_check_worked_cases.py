"""RULES.md sections 8.1 and 8.2: every worked case, checked without a game."""

import pytest

from tests.support.card_checks import hit, lay

GAME_OF = {"C": "classic", "D": "standard-deck", "X": "express", "B": "board"}

LAYS = """
HC-001 C 1 legal [R5 B5 G5] [B7 Y7 W]
HC-002 C 1 legal [R5 B5 G5 Y5] [R7 B7 G7]
HC-003 C 1 illegal [R6 B6 G6] [R8 B8 G8] [R10 B10 G10]
HC-008 C 1 illegal [R5 B5 G5] [R7 B7]
HC-010 C 2 legal [R5 B5 G5] [R8 B9 G10 Y11 R12]
HC-011 C 2 illegal [R2 B2 G2] [R11 B12 G1 Y2]
HC-012 C 2 illegal [R2 B2 G2] [R10 B11 G12 W]
HC-015 C 4 legal [R3 B4 W G6 Y7 R8 B9]
HC-016 C 4 legal [W R2 B3 G4 Y5 R6 B7]
HC-017 C 4 illegal [W R1 B2 G3 Y4 R5 B6]
HC-018 C 4 legal [R3 B4 G5 Y6 R7 B8 G9 Y10 R11]
HC-019 C 4 legal [R5 W W W W W W]
HC-020 C 4 illegal [R7 W W W W W W]
HC-021 C 4 illegal [R3 B4 G4 Y5 R6 B7 G8 Y9]
HC-022 C 8 legal [G1 G3 G3 G7 G9 G12 W]
HC-024 C 8 illegal [G1 G3 G3 G7 G9 G12 B2]
HC-025 C 8 legal [G1 W W W W W W]
HC-027 C 9 legal [R4 B4 G4 Y4 R4] [B4 G4]
HC-028 C 10 legal [R1 B1 G1 Y1 R1] [B12 G12 W]
HC-029 C 7 legal [R2 B2 G2 Y2] [R3 B3 G3 W W]
HC-030 C 6 illegal [R1 B2 G3 Y4 R5 B6 G7 Y8]
HC-031 D 1 legal [JS JS JD] [4H 4C AS]
HC-032 D 1 legal [7H 7S 7D] [7C 7H AS]
HC-034 D 9 legal [9H 9S 9D 9C 9H] [9S 9D]
HC-035 D 7 legal [9H 9S 9D 9C] [9H 9S 9D 9C]
HC-038 D 2 legal [5H 5S 5C] [10H JS QD KC]
HC-040 D 2 legal [5H 5S 5C] [2H 3D 4C AS]
HC-042 D 2 legal [5H 5S 5C] [AC JH QS KD]
HC-043 D 8 legal [2H 2H 5H 9H JH QH AS]
HC-048 D 6 illegal [8H 9S 10D JC QH KS AS AD AC]
HC-049 D 6 legal [AS AD AC 8H 9S 10D JC QH KS]
HC-050 X 1 legal [B1 G3 R5 Y7]
HC-051 X 1 legal [R3 B3 R5 B5]
HC-052 X 1 legal [R7 B7 G7 Y7]
HC-053 X 1 legal [R1 B5 G9 Y11]
HC-054 X 1 legal [R3 W W W]
HC-055 X 1 illegal [R2 B3 G5 Y7]
HC-056 X 2 legal [R7 B7] [G10 Y10]
HC-057 X 2 legal [R10 B10] [G10 Y10]
HC-058 X 2 legal [R5 B5] [G7 Y7]
HC-059 X 2 legal [R7 B7] [W W = 9]
HC-060 X 2 legal [R7 W] [W W = 9]
HC-061 X 3 legal [R2 B2 G8 W]
HC-062 X 4 legal [R6 B6 G7 Y7]
HC-063 X 4 illegal [R6 B6 R8 B8]
HC-064 X 4 illegal [R6 B6 G6 Y6]
HC-065 X 4 illegal [R12 B12 R1 B1]
HC-067 X 4 legal [R6 B6 G7 Y7 R8 B8]
HC-068 X 4 illegal [R6 B6 G7 Y7 R8]
HC-069 X 5 legal [R4 B4 W]
HC-070 X 6 legal [R3 B4 W G6]
HC-071 X 6 illegal [R10 B11 G12 W]
HC-073 X 7 legal [G3 G4 G5]
HC-074 X 7 illegal [G3 R4 G5]
HC-075 X 7 legal [G3 W G5]
HC-076 X 8 legal [R1 B3 G5 Y7]
HC-077 X 8 illegal [R1 B3 G5 Y9]
HC-080 X 8 illegal [R1 B2 G3 Y4]
HC-083 X 9 legal [R6 B8 G10 Y12]
HC-084 X 10 legal [G1 G4 G9 W]
HC-085 X 10 illegal [R1 R4 R9 S]
HC-086 B 2 legal [R4 B4] [R8 B8] [G8 Y8] [R11 B11]
HC-087 B 2 illegal [R4 B4] [R8 B8] [G8] [R11 B11]
HC-088 B 2 legal [R3 B3] [G3 Y3] [R7 B7] [G7 Y7]
HC-089 B 2 illegal [R3 J] [G3 J] [R7 B7] [J J]
HC-090 B 2 legal [R3 J] [G4 J] [R7 J] [B9 J]
HC-091 B 6 legal [R1 B2 G3 Y4 R5 B6 G7 Y8]
HC-092 B 6 legal [R4 B5 G6 Y7 R8 B9 G10 Y11]
HC-093 B 9 legal [R3 B4 G5 Y6 R7 B8 G9 Y10 R11]
HC-094 B 9 legal [R3 B4 G5 Y6 R7 B8 G9 Y10 R11 B12]
HC-095 B 8 legal [R8 B8 G8 Y8] [R11 B11 G11 Y11]
HC-096 B 3 legal [R5 B5 G5] [R3 J J]
"""
"""Section 8.1: case, game, phase, verdict, cards; after an equals sign what wilds stand for."""

HITS = """
HC-100 C illegal run | R3 B4 G5 Y6 | R1 low
HC-101 C legal run | R3 B4 G5 Y6 | R2 low, B1 low
HC-103 C legal run | R4 B5 G6 W | Y8 high
HC-104 C illegal run | R1 B2 G3 Y4 R5 B6 G7 Y8 R9 B10 G11 Y12 | W high
HC-105 C legal run | B2 G3 Y4 R5 B6 G7 Y8 R9 B10 G11 Y12 | W low
HC-106 C illegal run | B2 G3 Y4 R5 B6 G7 Y8 R9 B10 G11 Y12 | W high
HC-109 C illegal color | G1 G3 G3 G7 G9 G12 W | B3
HC-113 D illegal run | 10H JS QD KC | 2H high
HC-114 D illegal run | 10H JS QD KC | AS high
HC-115 D legal run | 10H JS QD KC | AS low
HC-116 D legal run | 10H JS QD KC | AS low, 8H low
HC-120 X legal set | R4 B4 G4 | Y4
HC-121 X legal set | R4 B4 G4 Y4 | W
HC-122 X legal run | R3 B4 G5 Y6 | R2 low
HC-123 X legal run | R3 B4 G5 Y6 | B7 high, G8 high
HC-124 X illegal run | R3 B4 G5 Y6 | G8 high, B7 high
HC-125 X legal color | G1 G4 G7 G9 | G12
HC-126 X legal color | G1 G4 G7 G9 | W
HC-127 X legal pairrun | R6 B6 G7 Y7 | R8 B8 high
HC-128 X illegal pairrun | R6 B6 G7 Y7 | R8 high
HC-129 X illegal pairrun | R6 B6 G7 Y7 | G6 high
HC-130 X legal pairrun | R6 B6 G7 Y7 | R5 W low
HC-133 X illegal parityrun odd | R1 B3 G5 Y7 R9 B11 | W high
HC-135 X legal colorrun | G3 G4 G5 | G6 high
HC-137 X legal colorrun | G3 G4 G5 | W high
HC-139 X illegal parity even | R2 B2 G8 Y10 | R5
HC-140 B legal set | R8 B8 G8 Y8 | R8
HC-141 B legal run | R3 B4 G5 Y6 R7 B8 G9 Y10 R11 | B2 low, G1 low, Y12 high
HC-142 B legal run | R1 B2 G3 Y4 R5 B6 G7 Y8 R9 B10 G11 Y12 | J high, J high, J high
HC-143 B legal set | R9 B9 G9 Y9 R9 B9 G9 Y9 | J, J
HC-144 B legal run | R3 J J | R2 low
HC-145 B legal run | R3 J J | R6 high
HC-148 B legal run | J R3 J | R1 low
HC-149 B legal run | J R3 J | R5 high
HC-150 B legal run | R1 J B3 | R4 high
HC-151 B illegal run | R1 J B3 | J low
HC-153 B legal run | R4 B5 G6 Y7 R8 B9 G10 Y11 R12 | J low
"""
"""Section 8.2: case, game, verdict, group, hits one after the other."""


@pytest.mark.parametrize("row", LAYS.strip().splitlines(), ids=lambda row: row[:8].strip())
def test_section_8_1(row: str) -> None:
    _, game, phase, verdict, cards = row.split(maxsplit=4)
    groups = [part.strip(" [") for part in cards.split("]") if part.strip()]

    judgement = lay(GAME_OF[game], int(phase), *groups)
    assert ("legal" if judgement.legal else "illegal") == verdict
    assert judgement.rule.startswith(f"{game}-")
    assert len(judgement.groups) == (len(groups) if judgement.legal else 0)


@pytest.mark.parametrize("row", HITS.strip().splitlines(), ids=lambda row: row[:8].strip())
def test_section_8_2(row: str) -> None:
    first, group, hits = row.split(" | ")
    _, game, verdict, kind = first.split(maxsplit=3)

    judgement = hit(GAME_OF[game], f"{kind} {group}", *hits.split(", "))
    assert ("legal" if judgement.legal else "illegal") == verdict
    assert judgement.rule.startswith(f"{game}-")
