import { type Fleet, fleet } from '#contract/fleet.ts'
import { ConfigurationError, checkMqttUrl, readJson } from '#device/agent/configuration.ts'

/** The file that the server's demo seed writes. Throws `ConfigurationError`, naming the field. */
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
