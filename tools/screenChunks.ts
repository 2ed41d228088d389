import { fileURLToPath } from 'node:url'

const CONSOLE = fileURLToPath(new URL('../console/', import.meta.url))
/** It imports every screen of somebody who is signed in. */
const PAGES = `${CONSOLE}app/signedInPages.tsx`
const OVERVIEW = `${CONSOLE}features/insight/overview/OverviewScreen.tsx`
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

/**
 * It names the chunk of a module by the screens that need it at once, so that no screen loads what only another needs:
 * what one screen needs comes with it, what several need is divided by the families of screens. What no screen needs at
 * once, such as the content of dialogs, has no name here.
 */
export function screenChunks() {
  let screensOf: ReadonlyMap<string, Screens> | undefined
  return (id: string, graph: { readonly getModuleInfo: InfoOf }): string | null => {
    screensOf ??= screensOfModules((one) => graph.getModuleInfo(one))
    const screens = screensOf.get(ICON.exec(id)?.[1] ?? id)
    return screens === undefined ? null : chunkOf(screens)
  }
}

function chunkOf(screens: Screens): string {
  const [screen = ''] = screens
  if (screens.size === 1) return screen === DEVICE_PAGE ? DEVICE : nameOf(screen)
  if (screens.has(OVERVIEW)) return 'common'
  if (screens.size >= NEEDED_BY_MANY) return 'most'
  const families = new Set([...screens].map(familyOf))
  const [family = ''] = families
  if (families.size === 1) return family
  return families.has(DEVICE) ? 'withDevices' : 'several'
}

const DEVICE = 'device'
const DEVICE_PAGE = `${CONSOLE}app/DevicePage.tsx`
const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1, path.lastIndexOf('.'))

/** Screens of one family are often opened after each other. */
function familyOf(screen: string): string {
  const [, area = DEVICE, folder = ''] = /features\/(\w+)\/(\w+)/.exec(screen) ?? []
  if (area === 'devices') return ['list', 'locations'].includes(folder) ? area : DEVICE
  if (screen.endsWith('AlertDetailsScreen.tsx')) return 'incidents'
  return ['alerts', 'incidents'].includes(folder) ? folder : area
}

/** The icons are known by their names, because all of them come from one module. */
function screensOfModules(infoOf: InfoOf): ReadonlyMap<string, Screens> {
  const found = new Map<string, Set<string>>()
  for (const screen of [OVERVIEW, ...(infoOf(PAGES)?.dynamicallyImportedIds ?? [])]) {
    for (const needed of neededBy(screen, infoOf)) found.set(needed, (found.get(needed) ?? new Set()).add(screen))
  }
  return found
}

function neededBy(screen: string, infoOf: InfoOf): ReadonlySet<string> {
  const needed = new Set<string>()
  const waiting = [screen]
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (needed.has(id) || id.includes('node_modules')) continue
    needed.add(id)
    const { code, importedIds = [] } = infoOf(id) ?? {}
    waiting.push(...importedIds)
    for (const icon of code?.match(/\bIcon[A-Z]\w*/g) ?? []) needed.add(icon)
  }
  return needed
}
