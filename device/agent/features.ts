import { CLIENT_FEATURES, writeClientFeatures } from '#domain/devices/clientFeatures.ts'
import { entryTopic, type Readings } from './lookAround.ts'

const DEVICE = entryTopic({ topic: 'device', number: 1 })

/** Readings in which the device tells, beside the version of its client, what that can do. */
export function withClientFeatures(readings: Readings): Readings {
  const device = readings.get(DEVICE)
  return device ? new Map(readings).set(DEVICE, { ...device, client_features: FEATURES }) : readings
}

const FEATURES = writeClientFeatures(CLIENT_FEATURES)
