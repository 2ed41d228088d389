/** What options may be that stand in the totem's own file alone. */
export type Read<Value> = { readonly value: Value } | { readonly reason: string }

const LONGEST_ARGUMENT = 4096
const MOST_ARGUMENTS = 64

/** Absolute, so that nothing depends on where or as whom the client runs. */
export function readAbsolutePath(value: unknown): Read<string> {
  return typeof value === 'string' && value.startsWith('/') && !value.includes('\0')
    ? { value }
    : { reason: 'must be a path that begins with /' }
}

/** The list of arguments of a program, each as it is: no shell reads it. */
export function readArguments(value: unknown): Read<readonly string[]> {
  const isArgument = (one: unknown): one is string =>
    typeof one === 'string' && one.length <= LONGEST_ARGUMENT && !one.includes('\0')
  return Array.isArray(value) && value.length <= MOST_ARGUMENTS && value.every(isArgument)
    ? { value }
    : { reason: `must be a list of at most ${MOST_ARGUMENTS} texts` }
}

/** An object in which every value is read alike. */
export function readEach<Value>(read: (value: unknown) => Read<Value>, what: string) {
  return (value: unknown): Read<Readonly<Record<string, Value>>> => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return { reason: `must be ${what}` }
    const found: Record<string, Value> = {}
    for (const [name, one] of Object.entries(value)) {
      const result = read(one)
      if ('reason' in result) return { reason: `must be ${what}, but "${name}" ${result.reason}` }
      found[name] = result.value
    }
    return { value: found }
  }
}
