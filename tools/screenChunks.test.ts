import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { screenChunks } from './screenChunks.ts'

const id = (path: string) => fileURLToPath(new URL(`../console/${path}`, import.meta.url))
const OVERVIEW = 'features/insight/overview/OverviewScreen.tsx'
const ALERTS = 'features/alerting/alerts/AlertsScreen.tsx'
const ALERTS_TAB = 'features/alerting/alerts/AlertsTab.tsx'
const USERS = 'features/people/users/UsersScreen.tsx'
const STATUS = 'features/devices/status/StatusTab.tsx'

interface Module {
  readonly takes?: readonly string[]
  readonly takesLater?: readonly string[]
  readonly code?: string
}

function chunksOf(modules: Readonly<Record<string, Module>>) {
  const pages = { takesLater: [OVERVIEW, ALERTS, ALERTS_TAB, USERS, STATUS] }
  const all = new Map(
    Object.entries<Module>({ 'app/signedInPages.tsx': pages, ...modules }).map(([path, one]) => [id(path), one]),
  )
  const getModuleInfo = (one: string) => {
    const { takes = [], takesLater = [], code = '' } = all.get(one) ?? {}
    return { code, importedIds: takes.map(id), dynamicallyImportedIds: takesLater.map(id) }
  }
  const nameOf = screenChunks()
  return (path: string) => nameOf(path.startsWith('/') ? path : id(path), { getModuleInfo })
}

test('what one screen needs comes with it, and what several need with neither', () => {
  const chunkOf = chunksOf({
    [OVERVIEW]: { takes: ['a.ts', 'all.ts'] },
    [ALERTS]: { takes: ['all.ts', 'list.ts', 'pair.ts'] },
    [ALERTS_TAB]: { takes: ['list.ts'] },
    [USERS]: { takes: ['pair.ts', 'person.ts'], takesLater: ['Dialog.tsx'] },
    [STATUS]: { takes: ['pair2.ts'] },
    'Dialog.tsx': { takes: ['word.ts', 'person.ts'] },
  })
  expect(chunkOf('a.ts')).toBe('OverviewScreen')
  expect(chunkOf('all.ts')).toBe('common')
  expect(chunkOf('list.ts')).toBe('alerts')
  expect(chunkOf('pair.ts')).toBe('several')
  expect(chunkOf('person.ts')).toBe('UsersScreen')
  expect(chunkOf('word.ts')).toBeNull()
})

test('what a dialog of another screen needs does not come with the whole screen', () => {
  const chunkOf = chunksOf({
    [USERS]: { takes: ['person.ts'] },
    [ALERTS]: { takesLater: ['Dialog.tsx'] },
    'Dialog.tsx': { takes: ['person.ts'] },
  })
  expect(chunkOf('person.ts')).toBe('peopleParts')
})

test('an icon belongs to the screens whose code names it', () => {
  const icon = '/node_modules/@tabler/icons-react/dist/esm/icons/IconBell.mjs'
  const chunkOf = chunksOf({ [USERS]: { code: 'jsx(IconBell, {})' } })
  expect(chunkOf(icon)).toBe('UsersScreen')
  expect(chunkOf(icon.replace('Bell', 'Sun'))).toBeNull()
})
