import { fileURLToPath } from 'node:url'

const CONSOLE = fileURLToPath(new URL('../console/', import.meta.url))
/** It imports every screen of somebody who is signed in. */
const PAGES = `${CONSOLE}app/signedInPages.tsx`
const OVERVIEW = `${CONSOLE}features/insight/overview/OverviewScreen.tsx`
const SHELL = `${CONSOLE}app/Shell.tsx`
const ICON = /@tabler[\\/]icons-react[\\/].*[\\/](Icon\w+)\.mjs$/

/** What so many screens need comes with all of them. */
const NEEDED_BY_MANY = 8

interface ModuleInfo {
  readonly code: string | null
  readonly importedIds: readonly string[]
  readonly dynamicallyImportedIds: readonly string[]
}
type InfoOf = (id: string) => ModuleInfo | null
type Screens = ReadonlySet<string>

/** Screens load a module at once with themselves, or later with a part of theirs. */
interface ScreensOfModule {
  readonly atOnce: Screens
  readonly ever: Screens
}

/**
 * It names the chunk of a module by the screens that need it, so that no screen loads what only another needs: what one
 * screen needs comes with it, and what several need is divided by the families of screens. What no screen needs at
 * once, such as the content of dialogs, has no name here.
 */
export function screenChunks() {
  let needsOf: ((id: string) => ScreensOfModule) | undefined
  return (id: string, graph: { readonly getModuleInfo: InfoOf }): string | null => {
    needsOf ??= needsOfModules((one) => graph.getModuleInfo(one))
    return chunkOf(needsOf(ICON.exec(id)?.[1] ?? id), id.endsWith('.css'))
  }
}

function chunkOf({ atOnce, ever }: ScreensOfModule, isStyle: boolean): string | null {
  const [screen] = atOnce
  if (screen === undefined) return null
  if (atOnce.has(OVERVIEW) && ever.size > 1) return 'common'
  // The styles of all screens are one file.
  if (isStyle && screen !== OVERVIEW) return 'styles'
  if (atOnce.size >= NEEDED_BY_MANY) return 'most'
  const families = familiesOf(atOnce)
  const familiesEver = familiesOf(ever)
  const [family = ''] = families
  if (families.size > 1 || familiesEver.size > 2) return families.has(DEVICE) ? 'withDevices' : 'several'
  const isOfFamily = atOnce.size > 1 || screen === DEVICE_PAGE
  const own = isOfFamily ? family : nameOf(screen)
  if (isOfFamily ? familiesEver.size === 1 : ever.size === 1) return own
  // The tabs of a device are too different to share what others need of them.
  return `${family === DEVICE ? own : family}Parts`
}

const familiesOf = (screens: Screens): Screens => new Set([...screens].map(familyOf))

const DEVICE = 'device'
const DEVICE_PAGE = `${CONSOLE}app/DevicePage.tsx`
const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1, path.lastIndexOf('.'))

/** Screens of one family are often opened after each other. */
function familyOf(screen: string): string {
  if (screen === DEVICE_PAGE) return DEVICE
  const [, area = 'shell', folder = ''] = /features\/(\w+)\/(\w+)/.exec(screen) ?? []
  if (area === 'devices') return ['list', 'locations'].includes(folder) ? area : DEVICE
  if (screen.endsWith('AlertDetailsScreen.tsx')) return 'incidents'
  return ['alerts', 'incidents'].includes(folder) ? folder : area
}

function needsOfModules(infoOf: InfoOf): (id: string) => ScreensOfModule {
  const [atOnce, ever] = [new Map<string, Set<string>>(), new Map<string, Set<string>>()]
  const note = (found: Map<string, Set<string>>, screen: string, isLate: boolean) => {
    for (const id of neededBy(screen, infoOf, isLate)) found.set(id, (found.get(id) ?? new Set()).add(screen))
  }
  for (const screen of [OVERVIEW, ...(infoOf(PAGES)?.dynamicallyImportedIds ?? [])]) {
    note(atOnce, screen, false)
    note(ever, screen, true)
  }
  // What opens over every page belongs to no screen.
  note(ever, SHELL, true)
  return (id) => ({ atOnce: atOnce.get(id) ?? new Set(), ever: ever.get(id) ?? new Set() })
}

/** The icons are known by their names, because all of them come from one module. */
function neededBy(screen: string, infoOf: InfoOf, isLate: boolean): ReadonlySet<string> {
  const needed = new Set<string>()
  const waiting = [screen]
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (needed.has(id) || id.includes('node_modules')) continue
    needed.add(id)
    const { code, importedIds = [], dynamicallyImportedIds = [] } = infoOf(id) ?? {}
    waiting.push(...importedIds, ...(isLate ? dynamicallyImportedIds : []))
    for (const icon of code?.match(/\bIcon[A-Z]\w*/g) ?? []) needed.add(icon)
  }
  return needed
}
