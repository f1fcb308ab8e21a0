"""Count D of a box of a certificate again, without a library. docs/certificates.md describes each step."""

import itertools
import math

M32, M64, M128 = 2**32 - 1, 2**64 - 1, 2**128 - 1


def words(number):
    """The 32-bit words of a number, the lowest first."""
    return [number & M32, *(words(number >> 32) if number >> 32 else [])]


def hashed(seed, key):
    """Eight 32-bit words, as SeedSequence(seed, spawn_key=key).generate_state(8) of NumPy."""
    entropy = words(seed)
    entropy += [0] * (4 - len(entropy)) + [word for number in key for word in words(number)]
    constant = 0x43B0D7E5

    def scrambled(value, multiplier=0x931E8875):
        nonlocal constant
        value ^= constant
        constant = constant * multiplier & M32
        value = value * constant & M32
        return value ^ value >> 16

    def mixed(x, y):
        value = (0xCA01F9DD * x - 0x4973F715 * y) & M32
        return value ^ value >> 16

    pool = [scrambled(word) for word in entropy[:4]]
    for source, target in itertools.permutations(range(4), 2):
        pool[target] = mixed(pool[target], scrambled(pool[source]))
    for word in entropy[4:]:
        pool = [mixed(old, scrambled(word)) for old in pool]
    constant = 0x8B51F9DD
    return [scrambled(pool[k % 4], 0x58F38DED) for k in range(8)]


def random_numbers(seed, key):
    """Uniform numbers in [0, 1) of the generator PCG64."""
    low = hashed(seed, key)
    a, b, c, d = (low[2 * k] | low[2 * k + 1] << 32 for k in range(4))
    step, multiplier = (c << 64 | d) << 1 & M128 | 1, 0x2360ED051FC65DA44385DF649FCCF645
    state = (step + (a << 64 | b)) * multiplier + step & M128
    while True:
        state = state * multiplier + step & M128
        word, turn = state >> 64 ^ state & M64, state >> 122
        yield ((word >> turn | word << 64 - turn & M64) >> 11) / 2**53


def poisson(mean, numbers):
    """A Poisson number, for a mean of at least 10."""
    b = 0.931 + 2.53 * math.sqrt(mean)
    a = -0.059 + 0.02483 * b
    while True:
        u, v = next(numbers) - 0.5, next(numbers)
        us = 0.5 - abs(u)
        k = math.floor((2 * a / us + b) * u + mean + 0.43)
        if us >= 0.07 and v <= 0.9277 - 3.6224 / (b - 2):
            return k
        if k < 0 or (us < 0.013 and v > us):
            continue
        bound = k * math.log(mean) - mean - math.lgamma(k + 1)
        if math.log(v) + math.log(1.1239 + 1.1328 / (b - 3.4)) - math.log(a / (us * us) + b) <= bound:
            return k


def points_of_box(dim, ratio, box, seed, name, number):
    """The points of a box of one tile, and which of them are red."""
    key = [int.from_bytes(f"{name} {ratio}".encode(), "big")] if name else []
    numbers = random_numbers(seed, [*key, number, 0])
    counts = [poisson(mean * box**dim, numbers) for mean in (1.0, ratio)]
    points = [[next(numbers) * box for _ in range(dim)] for _ in range(sum(counts))]
    return points, [False] * counts[0] + [True] * counts[1]


def difference(dim, ratio, scale, box, margin, seed, name, number):
    """D of a box of one tile."""
    points, red = points_of_box(dim, ratio, box, seed, name, number)
    n, depth = len(points), [min(min(x, box - x) for x in point) for point in points]
    near = [[] for _ in points]  # points within r, and their distances
    for x, y in itertools.combinations(range(n), 2):
        if (apart := math.dist(points[x], points[y])) <= scale and not (red[x] and red[y]):
            near[x].append((apart, y))
            near[y].append((apart, x))
    partner, distance = [None] * n, [math.inf] * n
    for apart, x, y in sorted((apart, a, b) for a in range(n) for apart, b in near[a]):
        if partner[x] is None and partner[y] is None:
            partner[x], partner[y] = y, x
            distance[x] = distance[y] = apart
    marked, new = set(), [x for x in range(n) if min(distance[x], scale) >= depth[x]]
    while new:
        x = new.pop()
        if x in marked:
            continue
        marked.add(x)
        if partner[x] is not None:
            new.append(partner[x])
            new += [z for apart, z in near[x] if distance[x] <= apart <= distance[z]]
    window = [x for x in range(n) if depth[x] > margin * scale]
    survivors = [x for x in window if partner[x] is None and x not in marked]
    lost = sum(x in marked and not red[x] for x in window)
    return sum(1 if red[x] else -1 for x in survivors) - lost
