import { CATEGORY, categoryOfModel } from '../components/componentFields.ts'
import { reportedComponents } from '../components/standardComponents.ts'
import type { DeviceModelId } from '../ids.ts'

export interface ChainComponent {
  readonly componentModelId: number
  readonly number: number
  readonly label: string
  readonly labelPort1?: string
  readonly labelPort2?: string
  readonly als?: number | null
  readonly unusedPorts?: readonly number[]
}

export type PartKind =
  | 'mains'
  | 'ups'
  | 'upsGroup'
  | 'powerSwitch'
  | 'relayPort'
  | 'router'
  | 'networkSwitch'
  | 'computer'
  | 'player'
  | 'display'
  | 'camera'

/** The key is `kind/number`, or `relayPort/number/port` for a relay. */
export type PartKey = string

export interface FeedPart {
  readonly key: PartKey
  readonly kind: PartKind
  readonly number: number
  readonly port?: 1 | 2
  /** The name as it begins a sentence: "Power switch 1". */
  readonly name: string
  /** Undefined for the mains, which nothing here feeds. */
  readonly fedBy: PartKey | undefined
  readonly defaultFedBy: PartKey | undefined
}

/** The wiring of one device, and its computer's path to the server. */
export interface FeedChain {
  /** Each part comes after the one that feeds it. */
  readonly parts: readonly FeedPart[]
  readonly uplink: readonly PartKey[]
}

const UPS_CATEGORY_ID = 4
const CAMERA_CATEGORY_ID = 15

/** Returns the possible feeders of a part; the first existing one counts, and without any the mains do. */
type Wiring = (part: { readonly kind: PartKind; readonly number: number; readonly port?: number }) => readonly PartKey[]

/** Power switch 1 feeds Equipment LCD + PC, 2 the Beaglebone, which talks to the server (rules/components 15). */
const WIRING_OF_MODEL_1: Wiring = ({ kind, number }) => {
  if (kind === 'display' || kind === 'player') return ['powerSwitch/1', 'upsGroup/1', 'ups']
  if (kind === 'computer') return ['powerSwitch/2', 'ups']
  if (kind === 'powerSwitch') return number === 1 ? ['upsGroup/1', 'ups'] : ['ups']
  return kind === 'upsGroup' ? ['ups'] : ['upsGroup/2', 'ups']
}

/** Relay 1 switches the displays with its first port and the parts beside them with its second. */
const USUAL_WIRING: Wiring = ({ kind, number, port }) => {
  if (kind === 'display') return ['relayPort/1/1', 'upsGroup/1', 'ups']
  if (kind === 'camera') return ['relayPort/1/2', 'upsGroup/2', 'ups']
  if (kind === 'relayPort' && number === 1) return [`upsGroup/${port}`, 'ups']
  if (kind === 'router' || kind === 'networkSwitch') return ['upsGroup/2', 'ups']
  return ['ups']
}

/**
 * Returns the factory wiring of this model with these components. The computer of model 1 is fed separately from the PC
 * that plays the content; elsewhere one computer does both (rules/components 15).
 */
export function defaultFeedChain(modelId: DeviceModelId, components: readonly ChainComponent[]): FeedChain {
  const wiring = modelId === 1 ? WIRING_OF_MODEL_1 : USUAL_WIRING
  const unfed = [...suppliesOf(modelId, components), ...consumersOf(modelId, components)]
  const fitted = new Set(unfed.map(({ key }) => key))
  const parts = unfed.map((part): FeedPart => {
    const defaultFedBy = feederOf(part, wiring, fitted)
    return { ...part, fedBy: defaultFedBy, defaultFedBy }
  })
  const mains = { ...plain('mains', 1, 'The mains'), key: 'mains', fedBy: undefined, defaultFedBy: undefined }
  return { parts: [mains, ...parts], uplink: ['networkSwitch/1', 'router/1'].filter((key) => fitted.has(key)) }
}

/** The mains feed the UPS itself, and every part without another feeder. */
const feederOf = (part: UnfedPart, wiring: Wiring, fitted: ReadonlySet<PartKey>): PartKey =>
  (part.kind === 'ups' ? undefined : wiring(part).find((key) => fitted.has(key))) ?? 'mains'

type UnfedPart = Omit<FeedPart, 'fedBy' | 'defaultFedBy'>

const plain = (kind: PartKind, number: number, name: string): UnfedPart => ({
  key: kind === 'ups' || kind === 'computer' || kind === 'player' ? kind : `${kind}/${number}`,
  kind,
  number,
  name,
})

const inCategory = (components: readonly ChainComponent[], categoryId: number) =>
  components
    .filter(({ componentModelId }) => categoryOfModel(componentModelId)?.id === categoryId)
    .toSorted((a, b) => a.number - b.number)

function suppliesOf(modelId: DeviceModelId, components: readonly ChainComponent[]): UnfedPart[] {
  const hasUps = inCategory(components, UPS_CATEGORY_ID).length > 0
  const hasPowerSwitch = reportedComponents(modelId, components).some(({ topic }) => topic === 'power-switch')
  return [
    ...(hasUps ? [plain('ups', 1, 'The UPS')] : []),
    ...(hasUps ? [1, 2].map((group) => plain('upsGroup', group, `Group ${group} of the UPS`)) : []),
    ...(hasPowerSwitch ? [1, 2].map((number) => plain('powerSwitch', number, `Power switch ${number}`)) : []),
    ...inCategory(components, CATEGORY.networkRelay).flatMap(relayPorts),
    ...inCategory(components, CATEGORY.routerWithRelay).map((it) => plain('router', it.number, named(it, 'Router'))),
    ...inCategory(components, CATEGORY.networkSwitch).map((it) =>
      plain('networkSwitch', it.number, named(it, 'Network switch')),
    ),
  ]
}

function relayPorts({ number, labelPort1 = '', labelPort2 = '' }: ChainComponent): UnfedPart[] {
  return ([1, 2] as const).map((port) => {
    const label = port === 1 ? labelPort1 : labelPort2
    const isOwnName = label !== '' && label !== `Port ${port}`
    return {
      key: `relayPort/${number}/${port}`,
      kind: 'relayPort',
      number,
      port,
      name: `Port ${port} of relay ${number}${isOwnName ? ` ("${label}")` : ''}`,
    }
  })
}

function consumersOf(modelId: DeviceModelId, components: readonly ChainComponent[]): UnfedPart[] {
  return [
    // Model 1 also has a PC, so "the computer" would be ambiguous.
    plain('computer', 1, modelId === 1 ? 'The Beaglebone' : 'The computer'),
    ...(modelId === 1 ? [plain('player', 1, 'The PC')] : []),
    ...inCategory(components, CATEGORY.display).map((it) => plain('display', it.number, named(it, 'Display'))),
    ...inCategory(components, CAMERA_CATEGORY_ID).map((it) => plain('camera', it.number, named(it, 'Camera'))),
  ]
}

const named = ({ label, number }: ChainComponent, kind: string) => label || `${kind} ${number}`

export function partOf(chain: FeedChain, key: PartKey): FeedPart | undefined {
  return chain.parts.find((part) => part.key === key)
}

/** Returns everything that loses power with a part, nearest first, without the part itself. */
export function fedFrom(chain: FeedChain, key: PartKey): readonly FeedPart[] {
  const direct = chain.parts.filter(({ fedBy }) => fedBy === key)
  return direct.flatMap((part) => [part, ...fedFrom(chain, part.key)])
}

/** Returns everything that a part needs, nearest first, up to the mains, without the part itself. */
export function supplyOf(chain: FeedChain, key: PartKey): readonly FeedPart[] {
  const parent = partOf(chain, key)?.fedBy
  const feeder = parent === undefined ? undefined : partOf(chain, parent)
  return feeder ? [feeder, ...supplyOf(chain, feeder.key)] : []
}
