import { readOptions } from '#domain/drivers/driverDescription.ts'
import { SNMP, type SNMP_PROFILES } from '#domain/drivers/snmpDescription.ts'
import type { Candidate, Surroundings } from '../driver.ts'
import { askMany } from '../wire/askMany.ts'
import { PROFILES, RPDU, UPS } from './snmpProfiles.ts'
import { SnmpRefusal, type SnmpSession, type SnmpVersion, withSnmp } from './snmpSession.ts'

const USUAL_PORT = 161
const VERSIONS: readonly SnmpVersion[] = ['2c', '1']
const ANSWERS_WITHIN_MS = 700
const SYS_UP_TIME = '1.3.6.1.2.1.1.3.0'

/** An object that no other kind of agent has. Computers have interfaces too, so a switch is known by being a bridge. */
const MARKS: readonly (readonly [profile: (typeof SNMP_PROFILES)[number], oid: string])[] = [
  ['ups', `${UPS}.4.1.0`],
  ['apc-rpdu', `${RPDU}.5.1.1.4.1`],
  // BRIDGE-MIB (RFC 4188) dot1dBaseNumPorts.
  ['switch', '1.3.6.1.2.1.17.1.2.0'],
]

/** Asks each address with the communities that somebody has named; none is guessed. Nothing is set. */
export async function snmpCandidates(
  { hosts, portFor, communities = [] }: Surroundings,
  signal: AbortSignal,
): Promise<readonly Candidate[]> {
  const port = portFor?.(USUAL_PORT) ?? USUAL_PORT
  const ways = communities.flatMap((community) => VERSIONS.map((version) => ({ community, version })))
  const found = await askMany(hosts, signal, async (host) => {
    for (const way of ways) {
      const place = { host, ...way, ...(port !== USUAL_PORT && { port }) }
      const profiles = await profilesAt(place, signal)
      if (profiles) return profiles.map((profile) => candidateOf(profile, place))
    }
    return undefined
  })
  return found.flat()
}

const candidateOf = (profile: (typeof SNMP_PROFILES)[number], { version, ...place }: Place): Candidate => ({
  topic: PROFILES[profile].part,
  options: { ...place, profile, ...(version !== SNMP.options.version.fallback && { version }) },
})

interface Place {
  readonly host: string
  readonly port?: number
  readonly community: string
  readonly version: SnmpVersion
}

/** @returns undefined where nothing answers to this community and version */
async function profilesAt(place: Place, signal: AbortSignal) {
  const read = readOptions(SNMP, { ...place, profile: 'ups' })
  if ('problem' in read) return undefined
  const how = { version: place.version, answersWithinMs: ANSWERS_WITHIN_MS }
  try {
    return await withSnmp(read.options, how, signal, async (session) => {
      await numberAt(session, SYS_UP_TIME)
      const known: (typeof SNMP_PROFILES)[number][] = []
      // Some cards do not answer when they are asked for several objects at once.
      for (const [profile, oid] of MARKS) if ((await numberAt(session, oid)) !== undefined) known.push(profile)
      return known
    })
  } catch {
    return undefined
  }
}

/** A refusal is an answer: the agent has no such object. */
async function numberAt(session: SnmpSession, oid: string): Promise<number | undefined> {
  try {
    return (await session.get([oid])).get(oid)
  } catch (error) {
    if (error instanceof SnmpRefusal) return undefined
    throw error
  }
}
