interface NamedUser {
  readonly firstName: string
  readonly lastName: string
  readonly username: string
}

/** It returns the full name, or the username if first or last name is missing (rules/people 2). */
export function nameOf({ firstName, lastName, username }: NamedUser): string {
  const [first, last] = [firstName.trim(), lastName.trim()]
  return first && last ? `${first} ${last}` : username
}

/** The user's picture (decisions) is two letters of the name, otherwise of the username. */
export function initialsOf({ firstName, lastName, username }: NamedUser): string {
  const letters = [firstName, lastName].map((name) => firstLetter(name.trim())).join('')
  return (letters || firstLetter(username) || '?').toLocaleUpperCase()
}

/** A visible letter may be several code units. */
function firstLetter(text: string): string {
  for (const { segment } of new Intl.Segmenter().segment(text)) return segment
  return ''
}
