import { fileURLToPath } from 'node:url'

const CONSOLE = fileURLToPath(new URL('../console/', import.meta.url))
/** It imports every screen of somebody who is signed in. */
const PAGES = `${CONSOLE}app/screens.ts`
const OVERVIEW = `${CONSOLE}features/insight/overview/OverviewScreen.tsx`
const SHELL = `${CONSOLE}app/Shell.tsx`
const ICON_NAME = /^Icon\w+$/
const ICON = /@tabler[\\/]icons-react[\\/].*[\\/](Icon\w+)\.mjs$/

/** What so many screens need comes with all of them. */
const NEEDED_BY_MANY = 8
/** A screen with less code of its own, about 2 kB when it is sent, comes with its family: a request costs more. */
const SMALL = 8_000

/** Its name is the bundler's. */
const APART = 'apart'
const COMMON = new Set(['common'])

interface ModuleInfo {
  readonly code: string | null
  readonly importedIds: readonly string[]
  readonly dynamicallyImportedIds: readonly string[]
}
type InfoOf = (id: string) => ModuleInfo | null
export interface Graph {
  readonly getModuleInfo: InfoOf
}
type Screens = ReadonlySet<string>
type UseOf = ReadonlyMap<string, Screens>

/** Screens load a module at once with themselves, or later with a part of theirs. */
interface ScreensOfModule {
  readonly atOnce: Screens
  readonly ever: Screens
}
interface ScreenUse {
  readonly of: (id: string) => ScreensOfModule
  /** It counts the characters that only this screen needs. */
  readonly ownCodeOf: (screen: string) => number
  /** Small dialogs of these screens or families need the module, and no screen needs it at once. */
  readonly laterFamiliesOf: (id: string) => ReadonlySet<string>
}

/**
 * It names the chunk of a module by the screens that need it, so that a screen loads little that only another needs:
 * what one screen needs comes with it, what those of one family need is one file, and what many need comes with the
 * shell or the kit. What no screen needs at once has no name here, but for the small dialogs of a screen or a family,
 * which are one file.
 */
export function screenChunks() {
  let use: ScreenUse | undefined
  return (id: string, graph: Graph): string | null => {
    use ??= useOfModules((one) => graph.getModuleInfo(one))
    const known = ICON.exec(id)?.[1] ?? id
    const screens = use.of(known)
    if (screens.atOnce.size > 0) return chunkOf(screens, id.endsWith('.css'), use.ownCodeOf)
    const [family = APART, ...others] = use.laterFamiliesOf(known)
    return family === APART || others.length > 0 ? null : `${family}Dialogs`
  }
}

function chunkOf({ atOnce, ever }: ScreensOfModule, isStyle: boolean, ownCodeOf: ScreenUse['ownCodeOf']): string {
  const [screen = ''] = atOnce
  if (atOnce.has(OVERVIEW) && ever.size > 1) return 'shell'
  // The styles of all screens are one file.
  if (screen !== OVERVIEW && (isStyle || atOnce.size >= NEEDED_BY_MANY)) return 'kit'
  const families = familiesOf(atOnce)
  if (families.size > 1) return families.has(DEVICE) ? 'kit' : 'several'
  const [family = ''] = families
  if (atOnce.size > 1 || screen === DEVICE_PAGE) return family
  if (ever.size === 1) return ownCodeOf(screen) < SMALL ? family : nameOf(screen)
  // The tabs of a device are too different to share what others need of them.
  return family === DEVICE ? `${nameOf(screen)}Parts` : family
}

const familiesOf = (screens: Screens): Screens => new Set([...screens].map(familyOf))

const DEVICE = 'device'
/** These are no tabs of a device, or have more in common with other screens. */
const DEVICE_FAMILIES: Readonly<Record<string, string>> = {
  list: 'devices',
  locations: 'devices',
  claim: 'claim',
  maintenance: 'visits',
}
const DEVICE_PAGE = `${CONSOLE}app/DevicePage.tsx`
const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1, path.lastIndexOf('.'))

/** Screens of one family are often opened after each other. */
function familyOf(screen: string): string {
  if (screen === DEVICE_PAGE) return DEVICE
  const [, area = 'shell', folder = ''] = /features\/(\w+)\/(\w+)/.exec(screen) ?? []
  if (area === 'devices') return DEVICE_FAMILIES[folder] ?? DEVICE
  if (screen.endsWith('AlertDetailsScreen.tsx')) return 'incidents'
  return ['alerts', 'incidents'].includes(folder) ? folder : area
}

function useOfModules(infoOf: InfoOf): ScreenUse {
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
  const later = laterFamilies(atOnce, ever, infoOf)
  const ownCode = new Map<string, number>()
  for (const [id, [screen = '']] of atOnce) {
    const size = infoOf(id)?.code?.length ?? 0
    if (ever.get(id)?.size === 1) ownCode.set(screen, (ownCode.get(screen) ?? 0) + size)
  }
  return {
    of: (id) => ({ atOnce: atOnce.get(id) ?? new Set(), ever: ever.get(id) ?? new Set() }),
    ownCodeOf: (screen) => ownCode.get(screen) ?? 0,
    laterFamiliesOf: (id) => later.get(id) ?? new Set(),
  }
}

/** It knows who needs a module later: small dialogs of these screens or families, or a large one. */
function laterFamilies(atOnce: UseOf, ever: UseOf, infoOf: InfoOf) {
  const families = new Map<string, Set<string>>()
  for (const part of new Set([...ever.keys()].flatMap((id) => infoOf(id)?.dynamicallyImportedIds ?? []))) {
    if (atOnce.has(part)) continue
    const needed = [...neededBy(part, infoOf, false)]
    const own = needed.filter((id) => !atOnce.has(id))
    const code = own.reduce((sum, id) => sum + (infoOf(id)?.code?.length ?? 0), 0)
    // Together with those of others it would make a screen load what only another needs.
    const screens = new Set(
      needed.flatMap((id) => (!ICON_NAME.test(id) && atOnce.get(id)?.size === 1 ? [...(atOnce.get(id) ?? [])] : [])),
    )
    const of = familiesOf(ever.get(part) ?? new Set())
    const among = screens.size > 0 ? new Set([...screens].map(nameOf)) : of.size > 1 ? COMMON : of
    const [name = APART] = code < SMALL && among.size === 1 ? among : []
    for (const id of own) families.set(id, (families.get(id) ?? new Set()).add(name))
  }
  return families
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
