import { parseArgs } from 'node:util'

export type Arguments = Readonly<{
  paths: readonly string[]
  title: string | undefined
  only: string | undefined
  changedSince: string | undefined
  watches: boolean
  /** Runs also tests that are far from what was edited. */
  takesAll: boolean
}>

/**
 * Reads `npm test -- [PATH …] [-t TITLE] [--watch] [--all] | [--changed[=COMMIT]] [--all] | [--only STAGE,…]`.
 *
 * @throws one sentence about what is unknown or cannot be combined
 */
export function readArguments(given: readonly string[]): Arguments {
  const { values, positionals } = parseArgs({
    // It means what is not committed yet when no commit is given.
    args: given.map((argument) => (argument === '--changed' ? '--changed=HEAD' : argument)),
    allowPositionals: true,
    options: {
      only: { type: 'string' },
      changed: { type: 'string' },
      title: { type: 'string', short: 't' },
      watch: { type: 'boolean', default: false },
      all: { type: 'boolean', default: false },
    },
  })
  const asked = [positionals.length > 0 && 'PATH', values.changed && '--changed', values.only && '--only'].filter(
    Boolean,
  )
  if (values.watch && positionals.length === 0) asked.push('--watch')
  if (asked.length > 1) throw new Error(`${asked.join(' and ')} cannot be asked for together.`)
  if (values.title !== undefined && positionals.length === 0) throw new Error('-t TITLE needs the PATH of its tests.')
  if (values.all && (asked.length === 0 || values.only !== undefined)) {
    throw new Error('--all goes with PATH, --changed or --watch; without them npm test runs everything.')
  }
  return {
    paths: positionals,
    title: values.title,
    only: values.only,
    changedSince: values.changed,
    watches: values.watch,
    takesAll: values.all,
  }
}
