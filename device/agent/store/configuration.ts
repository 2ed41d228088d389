import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { deviceConfiguration } from '#contract/http/devices/devices.ts'
import { type ChosenDrivers, ComponentsError, readOwnComponents } from '#device/hardware/composed/chosenDrivers.ts'
import { hasHostBits, parseIpNetwork } from '#domain/network/ipAddress.ts'

/** The text is shown unchanged to whoever starts the program. */
export class ConfigurationError extends Error {}

const MQTT_PROTOCOLS = ['mqtt:', 'mqtts:', 'ws:', 'wss:']

/** The additions that a device's own file makes to what the console provides. */
const totemConfiguration = deviceConfiguration.extend({
  components: z.unknown().optional(),
  /** The networks that drivers chosen by the console may connect to; none unless they are listed here. */
  allowedNetworks: z.array(z.string().max(60)).max(32).default([]),
})

export interface Configuration extends Omit<z.output<typeof totemConfiguration>, 'components'> {
  /** The drivers by part, with validated options. */
  readonly components: ChosenDrivers
}

/** Reads the file of `Device/DownloadConfiguration` with its local additions. Throws `ConfigurationError`. */
export function readConfiguration(file: string): Configuration {
  return parseConfiguration(file, readJson(file))
}

export function readJson(file: string): unknown {
  let text: string
  try {
    // Windows editors put a byte order mark in front, which is not part of the JSON.
    text = readFileSync(file, 'utf8').replace(/^\ufeff/, '')
  } catch (error) {
    throw new ConfigurationError(`Cannot read ${file}: ${(error as NodeJS.ErrnoException).code ?? 'unknown reason'}.`)
  }
  try {
    return JSON.parse(text)
  } catch {
    throw new ConfigurationError(`${file} is not JSON; download it again from the device's menu in the console.`)
  }
}

function parseConfiguration(file: string, content: unknown): Configuration {
  const parsed = totemConfiguration.safeParse(content)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    const field = issue?.path.join('.')
    throw new ConfigurationError(
      field ? `${file}: field "${field}" is wrong: ${issue?.message}.` : `${file} is not a device configuration.`,
    )
  }
  checkMqttUrl(file, parsed.data.mqttUrl)
  if (parsed.data.key === '') throw new ConfigurationError(`${file}: field "key" is empty.`)
  for (const network of parsed.data.allowedNetworks) checkNetwork(`${file}: field "allowedNetworks"`, network)
  return { ...parsed.data, components: readComponents(file, parsed.data.components) }
}

function readComponents(file: string, components: unknown): ChosenDrivers {
  try {
    return readOwnComponents(components)
  } catch (error) {
    if (error instanceof ComponentsError) throw new ConfigurationError(`${file}: ${error.message}.`)
    throw error
  }
}

/** @param place says where it was read, for whoever starts the program */
export function checkNetwork(place: string, text: string): void {
  const network = parseIpNetwork(text)
  const shape = 'must hold IP addresses or networks such as 192.168.1.0/24'
  if (!network) throw new ConfigurationError(`${place} ${shape}, but holds "${text}".`)
  if (hasHostBits(network))
    throw new ConfigurationError(`${place} holds "${text}", in which bits beyond the prefix are set.`)
}

export function checkMqttUrl(file: string, mqttUrl: string): void {
  if (!URL.canParse(mqttUrl) || !MQTT_PROTOCOLS.includes(new URL(mqttUrl).protocol)) {
    throw new ConfigurationError(`${file}: field "mqttUrl" must start with mqtt://, mqtts://, ws:// or wss://.`)
  }
}
