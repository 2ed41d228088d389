import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { screenChunks } from './screenChunks.ts'

const id = (path: string) => fileURLToPath(new URL(`../console/${path}`, import.meta.url))
const OVERVIEW = 'features/insight/overview/OverviewScreen.tsx'
const ALERTS = 'features/alerting/alerts/AlertsScreen.tsx'
const ALERTS_TAB = 'features/alerting/alerts/AlertsTab.tsx'
const USERS = 'features/people/users/UsersScreen.tsx'
const STATUS = 'features/devices/status/StatusTab.tsx'
const SYSTEM = 'features/operation/system/SystemScreen.tsx'

interface Module {
  readonly takes?: readonly string[]
  readonly takesLater?: readonly string[]
  readonly code?: string
}

function chunksOf(modules: Readonly<Record<string, Module>>) {
  const pages = { takesLater: [OVERVIEW, ALERTS, ALERTS_TAB, USERS, STATUS, SYSTEM] }
  const all = new Map(
    Object.entries<Module>({ 'app/screens.ts': pages, ...modules }).map(([path, one]) => [id(path), one]),
  )
  const getModuleInfo = (one: string) => {
    const { takes = [], takesLater = [], code = '' } = all.get(one) ?? {}
    return { code, importedIds: takes.map(id), dynamicallyImportedIds: takesLater.map(id) }
  }
  const nameOf = screenChunks()
  return (path: string) => nameOf(path.startsWith('/') ? path : id(path), { getModuleInfo })
}

const LARGE = 'x'.repeat(20_000)

test('what one screen needs comes with it, and what several need with neither', () => {
  const chunkOf = chunksOf({
    [OVERVIEW]: { takes: ['a.ts', 'all.ts'], code: LARGE },
    [ALERTS]: { takes: ['all.ts', 'list.ts', 'pair.ts', 'three.ts'], code: LARGE },
    [ALERTS_TAB]: { takes: ['list.ts'], code: LARGE },
    [USERS]: { takes: ['pair.ts', 'three.ts', 'person.ts'], takesLater: ['Dialog.tsx'], code: LARGE },
    [SYSTEM]: { takes: ['three.ts'], code: LARGE },
    [STATUS]: { takes: ['person.ts'], code: LARGE },
    'Dialog.tsx': { takes: ['word.ts', 'person.ts'] },
  })
  expect(chunkOf('a.ts')).toBe('OverviewScreen')
  expect(chunkOf('all.ts')).toBe('shell')
  expect(chunkOf('list.ts')).toBe('alerts')
  expect(chunkOf('pair.ts')).toBe('several')
  expect(chunkOf('three.ts')).toBe('several')
  expect(chunkOf('person.ts')).toBe('kit')
  expect(chunkOf(USERS)).toBe('UsersScreen')
  expect(chunkOf('word.ts')).toBe('peopleDialogs')
})

test('a small screen comes with its family, and so does what a part of another screen needs later', () => {
  const chunkOf = chunksOf({
    [USERS]: { takes: ['person.ts'], code: LARGE },
    [ALERTS]: { takesLater: ['Dialog.tsx'] },
    'Dialog.tsx': { takes: ['person.ts'] },
  })
  expect(chunkOf(USERS)).toBe('UsersScreen')
  expect(chunkOf('person.ts')).toBe('people')
  expect(chunkOf(ALERTS)).toBe('alerts')
})

test('small dialogs of a family are one file, and those that need what only a screen does are one of that screen', () => {
  const chunkOf = chunksOf({
    [USERS]: {
      takes: ['own.ts', 'pair.ts'],
      takesLater: ['Small.tsx', 'Large.tsx', 'Bound.tsx', 'Both.tsx'],
      code: LARGE,
    },
    [SYSTEM]: { takes: ['pair.ts'], takesLater: ['Both.tsx'], code: LARGE },
    'Small.tsx': { takes: ['word.ts', 'pair.ts'] },
    'Large.tsx': { takes: ['shared.ts'], code: LARGE },
    'Both.tsx': { takes: ['shared.ts'] },
    'Bound.tsx': { takes: ['own.ts'] },
  })
  expect(['Small.tsx', 'word.ts', 'Large.tsx', 'shared.ts', 'Both.tsx', 'Bound.tsx'].map(chunkOf)).toEqual([
    'peopleDialogs',
    'peopleDialogs',
    null,
    null,
    'commonDialogs',
    'UsersScreenDialogs',
  ])
})

test('an icon belongs to the screens whose code names it', () => {
  const icon = '/node_modules/@tabler/icons-react/dist/esm/icons/IconBell.mjs'
  const chunkOf = chunksOf({ [USERS]: { code: `jsx(IconBell, {})${LARGE}` } })
  expect(chunkOf(icon)).toBe('UsersScreen')
  expect(chunkOf(icon.replace('Bell', 'Sun'))).toBeNull()
})
