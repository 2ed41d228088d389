import { CallFailed } from './CallFailed.ts'

/**
 * It returns what the server found wrong by field: the server uses the names of the wire (`internalIp is not valid`),
 * people read the labels of the form. It returns undefined when the failure concerns anything else, so that it is shown
 * as a whole.
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
