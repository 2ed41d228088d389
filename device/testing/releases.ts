import { type AssignedRelease, assignedRelease } from '#contract/mqtt/client.ts'
import { readHeader } from '#domain/releases/header.ts'
import { bundleAgent, bundleLauncher } from '#tools/releaseBundle.ts'
import { makeBackTarget, makeRelease, newReleaseKey, publicReleaseKey } from '#tools/releaseFile.ts'

/** This text occurs once in the bundle, where a release has its own version. */
const BUILT_AS = '7.7.7'

/** Releases as `npm run release` makes them, out of one bundle. */
export interface Releases {
  readonly launcher: Uint8Array
  /** The key as the configuration of a device contains it. */
  readonly publicKey: string
  /** Returns the agent of this tree as this version. */
  agent(version: string): Promise<Uint8Array>
  /** Returns it with lines of JavaScript that run before it. */
  agentAfter(lines: string, version: string): Promise<Uint8Array>
  /** Returns any program with a valid signature. */
  ofProgram(program: string, version: string): Promise<Uint8Array>
  /** Returns the agent with a signature by another key. */
  foreign(version: string): Promise<Uint8Array>
  /** Signs a release as a target for going back, as an assignment carries it. */
  backSignatureOf(release: Uint8Array): string
}

export async function buildReleases(): Promise<Releases> {
  const [ours, theirs] = [newReleaseKey().key, newReleaseKey().key]
  const text = new TextDecoder().decode((await bundleAgent(BUILT_AS)).program)
  if (text.split(BUILT_AS).length !== 2) throw new Error('The version does not stand exactly once in the bundle.')
  const programOf = (version: string) => Buffer.from(text.replace(BUILT_AS, version))
  return {
    launcher: await bundleLauncher(),
    publicKey: publicReleaseKey(ours),
    agent: (version) => makeRelease(programOf(version), version, ours),
    agentAfter: (lines, version) => makeRelease(Buffer.concat([Buffer.from(lines), programOf(version)]), version, ours),
    ofProgram: (program, version) => makeRelease(Buffer.from(program), version, ours),
    backSignatureOf: (release) => {
      const read = readHeader(release)
      const target = read && readHeader(makeBackTarget(read, ours))
      return target?.header.back ?? ''
    },
    foreign: (version) => makeRelease(programOf(version), version, theirs),
  }
}

/** Returns what the server would assign for this file. */
export function offerOf(release: Uint8Array, updateId: string = crypto.randomUUID()): AssignedRelease {
  return assignedRelease.parse({ ...readHeader(release)?.header, updateId })
}
