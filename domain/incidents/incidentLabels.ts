import { fieldIdOfKind, isClockField } from '../alerts/conditionKinds.ts'
import { alertTitle, type TitledAlert } from '../alerts/conditionTitle.ts'
import { darkTitle } from '../darkness/darkTitle.ts'
import { toShownAddress } from '../devices/site.ts'
import type { FieldId } from '../ids.ts'
import { isSilence } from './occurrence.ts'

interface Told {
  readonly causeText: string
  readonly causeFieldId: FieldId
  readonly deviceName: string
  readonly deviceAddress: string
  readonly deviceCount: number
  readonly placeCount: number
}

/** Returns what happened where: `Am Ring 12: Router off`, `1,000 devices at 312 places: Not reporting for 5 minutes`. */
export function incidentTitle(told: Told): string {
  const { causeText, causeFieldId, deviceName, deviceCount, placeCount } = told
  const address = toShownAddress(told.deviceAddress)
  const isOfMany = deviceCount > 1 && (placeCount > 1 || isSilence(causeFieldId))
  const devices = `${deviceCount.toLocaleString('en-US')} devices`
  const where =
    placeCount > 1
      ? `${devices} at ${placeCount.toLocaleString('en-US')} places`
      : `${devices}${address && ` at ${address}`}`
  const place = deviceCount === 1 ? deviceName : address || deviceName
  return `${isOfMany ? where : place}: ${causeText}`
}

export interface Cause extends TitledAlert {
  readonly fieldId: FieldId
  /** The alert's text beside its condition: for darkness, the words of the verdict. */
  readonly told: string | null
}

/** Returns what an alert is called, alone or as the cause of others: its title, for darkness the verdict. */
export function causeText({ fieldId, told, ...alert }: Cause): string {
  if (alert.title || !isClockField(fieldId) || !told) return alertTitle(alert)
  return fieldId === fieldIdOfKind('dark') ? darkTitle(told) : told
}
