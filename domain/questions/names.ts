import { folded } from './tokens.ts'

interface Named {
  readonly name: string
}

const MOST_NAMED = 3

/** Finds the one with this name: exactly, else by its beginning, else by all of these words. */
export function oneNamed<One extends Named>(name: string, all: readonly One[]): One | { readonly why: string } {
  const wanted = folded(name)
  const words = wanted.split(' ')
  const ways: readonly ((its: string) => boolean)[] = [
    (its) => its === wanted,
    (its) => its.startsWith(wanted),
    (its) => words.every((word) => its.includes(word)),
  ]
  for (const fits of ways) {
    const found = all.filter((one) => fits(folded(one.name)))
    const [first] = found
    if (first !== undefined && found.length === 1) return first
    if (found.length > 1) return { why: `it may be ${named(found)}` }
  }
  return { why: 'nothing is called so' }
}

function named(found: readonly Named[]): string {
  const shown = found.slice(0, MOST_NAMED).map(({ name }) => name)
  return found.length > MOST_NAMED ? `${shown.join(', ')} …` : shown.join(' or ')
}
