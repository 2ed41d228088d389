import type { Call } from './call.ts'

/** The name of a call where people type it and where assistants choose it: `devices`, `list`. */
export interface CommandName {
  readonly noun: string
  readonly verb: string
}

const UNCOUNTED = ['Analytics', 'Audit', 'Dashboard', 'DeviceMaintenance', 'Live', 'System']

const kebab = (words: string) => words.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '-').toLowerCase()

function plural(word: string): string {
  if (word.endsWith('y')) return `${word.slice(0, -1)}ies`
  return `${word}s`
}

/** The name follows from the address alone: `Device/GetDeviceList`, `Alert/AcknowledgeAlert`, `AppUser/GetAppUser`. */
export function commandNameOf({ path }: Pick<Call, 'path'>): CommandName {
  const [about = '', name = ''] = path.split('/')
  const short = about.replace(/^App(?=[A-Z])/, '')
  const noun = short === 'App' ? 'account' : kebab(UNCOUNTED.includes(about) ? short : plural(short))
  const [, asks = '', rest = ''] = /^(Get|Set|Del)?(.*)$/.exec(name) ?? []
  // "GetDeviceStatus" of a device becomes "status"; in "AcknowledgeAlert" the noun names the alert already.
  const thing = asks === '' ? rest.replace(new RegExp(`${short}s?$`), '') : withoutOwn(rest, about)
  const list = /^(.*?)List(Full)?$/.exec(thing)
  if (asks === 'Get' && list) return { noun, verb: joined('list', list[1], list[2]) }
  if (asks === '') return { noun, verb: kebab(thing) }
  return { noun, verb: joined(asks === 'Del' ? 'delete' : asks, thing) }
}

const withoutOwn = (rest: string, about: string) => (rest.startsWith(about) ? rest.slice(about.length) : rest)
const joined = (...words: readonly (string | undefined)[]) =>
  kebab(words.filter(Boolean).join('-')).replaceAll('--', '-')
