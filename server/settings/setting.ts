/** A setting in the words of `npm run config`, and how its text becomes a value. */
export type Setting<Value> = Readonly<{
  name: string
  /** Says in the words of `npm run config` what applies when the variable is absent. */
  absent: string
  meaning: string
  /** A secret is never listed, only that it is set. */
  secret: boolean
  /** Another variable may name a file that holds the secret. */
  fileName: string | undefined
  /** Converts the text of the variable or the file; `undefined` when it is absent or empty. */
  read: (text: string | undefined) => Value
}>

export function setting<Value>(
  name: string,
  absent: string,
  read: (text: string | undefined) => Value,
  meaning: string,
): Setting<Value> {
  return { name, absent, read, meaning, secret: false, fileName: undefined }
}

export const secret = <Value>(described: Setting<Value>): Setting<Value> => ({
  ...described,
  secret: true,
  fileName: `${described.name}_FILE`,
})
