import { CallFailed } from './CallFailed.ts'

/**
 * What the server found wrong, by field: it names fields as they stand on the wire (`internalIp is not valid`), people
 * read the label of the form. Undefined when the failure is about anything else, so that it is told as a whole.
 */
export function fieldErrorsOf<Field extends string>(
  failure: unknown,
  labels: Readonly<Record<Field, string>>,
): Partial<Record<Field, string>> | undefined {
  if (!(failure instanceof CallFailed) || failure.code !== 'invalid_request') return undefined
  const errors: Partial<Record<Field, string>> = {}
  for (const sentence of failure.message.split('; ')) {
    const field = (Object.keys(labels) as Field[]).find((name) => sentence.split(/[^\w]/).includes(name))
    if (field === undefined) return undefined
    errors[field] ??= sentence.replace(field, labels[field])
  }
  return errors
}
