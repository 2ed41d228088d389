/** Validation of options that only the device's own file can set. */
export type Read<Value> = { readonly value: Value } | { readonly reason: string }

const LONGEST_ARGUMENT = 4096
const MOST_ARGUMENTS = 64

/** The path is absolute, so that nothing depends on the client's folder or user. */
export function readAbsolutePath(value: unknown): Read<string> {
  return typeof value === 'string' && value.startsWith('/') && !value.includes('\0')
    ? { value }
    : { reason: 'must be a path that begins with /' }
}

/** The arguments of a program are passed unchanged, because no shell reads them. */
export function readArguments(value: unknown): Read<readonly string[]> {
  const isArgument = (one: unknown): one is string =>
    typeof one === 'string' && one.length <= LONGEST_ARGUMENT && !one.includes('\0')
  return Array.isArray(value) && value.length <= MOST_ARGUMENTS && value.every(isArgument)
    ? { value }
    : { reason: `must be a list of at most ${MOST_ARGUMENTS} texts` }
}

/** Validates each value of an object in the same way. */
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
