import type { Candidate, Surroundings } from '../driver.ts'
import { type Listening, listeningAt } from '../wire/listeningAt.ts'
import { listModules, readModule } from './hub.ts'

const USUAL_PORT = 4444
const ANSWERS_WITHIN_MS = 3000

/** Each hub lists its modules; what a module has says which part it is. Modules at USB are listed by VirtualHub. */
export async function yoctopuceCandidates(around: Surroundings, signal: AbortSignal): Promise<readonly Candidate[]> {
  const hubs = await listeningAt(around, USUAL_PORT, signal)
  return (await Promise.all(hubs.map((hub) => modulesAt(hub, signal)))).flat()
}

async function modulesAt(place: Listening, signal: AbortSignal): Promise<readonly Candidate[]> {
  const hub = { port: USUAL_PORT, ...place }
  const ends = AbortSignal.any([signal, AbortSignal.timeout(ANSWERS_WITHIN_MS)])
  const serials = await listModules(hub, ends).catch(() => [])
  const found: Candidate[] = []
  for (const serial of serials) {
    const functions = await readModule({ ...hub, serial }, ends).catch(() => ({}))
    const options = { ...place, serial }
    if ('relay1' in functions) found.push({ topic: 'relay', options })
    else if ('anButton1' in functions) found.push({ topic: 'yocto', options })
  }
  return found
}
