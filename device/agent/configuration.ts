import { readFileSync } from 'node:fs'
import { type DeviceConfiguration, deviceConfiguration } from '#contract/http/device.ts'

/** Said to whoever starts the program, as it stands. */
export class ConfigurationError extends Error {}

const MQTT_PROTOCOLS = ['mqtt:', 'mqtts:', 'ws:', 'wss:']

/** The file that the console hands out (`Device/DownloadConfiguration`). Throws `ConfigurationError`. */
export function readConfiguration(file: string): DeviceConfiguration {
  return parseConfiguration(file, readJson(file))
}

export function readJson(file: string): unknown {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new ConfigurationError(`Cannot read ${file}: ${(error as NodeJS.ErrnoException).code ?? 'unknown reason'}.`)
  }
  try {
    return JSON.parse(text)
  } catch {
    throw new ConfigurationError(`${file} is not JSON; download it again from the device's menu in the console.`)
  }
}

function parseConfiguration(file: string, content: unknown): DeviceConfiguration {
  const parsed = deviceConfiguration.safeParse(content)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    const field = issue?.path.join('.')
    throw new ConfigurationError(
      field ? `${file}: field "${field}" is wrong: ${issue?.message}.` : `${file} is not a device configuration.`,
    )
  }
  checkMqttUrl(file, parsed.data.mqttUrl)
  if (parsed.data.key === '') throw new ConfigurationError(`${file}: field "key" is empty.`)
  return parsed.data
}

export function checkMqttUrl(file: string, mqttUrl: string): void {
  if (!URL.canParse(mqttUrl) || !MQTT_PROTOCOLS.includes(new URL(mqttUrl).protocol)) {
    throw new ConfigurationError(`${file}: field "mqttUrl" must start with mqtt://, mqtts://, ws:// or wss://.`)
  }
}
