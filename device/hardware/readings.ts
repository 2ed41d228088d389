import type { ReadingOf } from '#domain/catalogue/eventTypes.ts'

export type DisplayReading = ReadingOf<'display'>

/** `status_id` 1 means in order, anything else out of order. */
export type ComputerReading = ReadingOf<'device'>

/** `door_status` 1 means open. */
export type ControllerReading = ReadingOf<'ecu'>

export type UpsReading = ReadingOf<'ups'>

/** A port reads 1 while it is on. */
export type PowerSwitchReading = ReadingOf<'power-switch'>

/** A port reads 1 if something answers behind it. */
export type NetworkSwitchesReading = ReadingOf<'router'>

/** A port reads 1 while it is on. */
export type RelayReading = ReadingOf<'relay'>

/** `relay_status` 0 means on, because the relay interrupts the supply. */
export type RouterRelayReading = ReadingOf<'router-relay'>

export type CameraReading = ReadingOf<'camera'>

/** Each button reports the number of its presses so far. */
export type ButtonsReading = ReadingOf<'yocto'>

/** Any of these readings, by catalogue name. */
export type Reading = Readonly<Record<string, number | string | undefined>>

export interface DatedReading {
  /** Tells apart the drivers of a part. */
  readonly source: string
  /** The same object means the same reading. */
  readonly values: Reading
  readonly takenAgoMs: number
  readonly trafficBytes?: number
}
