import { readFileSync } from 'node:fs'
import { type Fleet, fleet } from '#contract/fleet.ts'
import { releaseKeyValue } from '#contract/mqtt/client.ts'
import { ConfigurationError, checkMqttUrl, readJson } from '#device/agent/store/configuration.ts'

/** Reads the file that the server's demo seed writes. Throws `ConfigurationError`, which names the field. */
export function readFleet(file: string): Fleet {
  const parsed = fleet.safeParse(readJson(file))
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    throw new ConfigurationError(
      `${file}: field "${issue?.path.join('.') || '(the whole file)'}" is wrong: ${issue?.message}.`,
    )
  }
  checkMqttUrl(file, parsed.data.mqttUrl)
  return parsed.data
}

/** Returns the public keys of the releases that these devices accept at present. */
export function releaseKeysOf({ releaseKeys, releaseKeyFile }: Fleet): readonly string[] {
  if (releaseKeyFile === undefined) return releaseKeys
  try {
    return [...releaseKeys, releaseKeyValue.parse(readFileSync(releaseKeyFile, 'utf8').trim())]
  } catch {
    // No release has been made here yet.
    return releaseKeys
  }
}
