import type { ReactNode } from 'react'
import { useOpenDevice } from '#console/deviceParts/openDevice.ts'
import type { Readings } from '../read/readings.ts'
import { DesiredNote } from './DesiredNote.tsx'
import { SectionFoot } from './SectionFoot.tsx'
import { SectionHistory, type SectionHistoryProps } from './SectionHistory.tsx'
import { SectionOvertaken } from './SectionOvertaken.tsx'

const NO_READINGS: Readings = new Map()

interface SettingsFormProps<Values extends object> extends SectionHistoryProps<Values> {
  readonly unknownToClient?: string | false | undefined
  readonly isTried?: boolean
  readonly readings?: Readings
  /** What else the form can be applied to, at the foot. */
  readonly besides?: ReactNode
  readonly onApply: () => void
  readonly children: ReactNode
}

/** Every section of the settings ends with what is pending, who set it, and Apply. */
export function SettingsForm<Values extends object>({
  unknownToClient,
  isTried = false,
  readings = NO_READINGS,
  besides,
  onApply,
  children,
  ...of
}: SettingsFormProps<Values>) {
  const { form, section } = of
  return (
    <form
      className="setup-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        // Enter in a field submits, although Apply is disabled then.
        if (form.isChanged && !form.isApplying) onApply()
      }}
    >
      <SectionHistory {...of} />
      <div className="setup-fields">
        {unknownToClient && (
          <p className="setup-warning" role={isTried ? 'alert' : 'note'}>
            The client of this device does not know {unknownToClient}. Update the client first.
          </p>
        )}
        {children}
        <SectionOvertaken form={form} section={section} />
        <DesiredNote section={section} readings={readings} />
      </div>
      <SectionFoot form={form} besides={besides} />
    </form>
  )
}

export function LocalTimeNote({ timeZone }: { readonly timeZone: string }) {
  const { timeZoneIsAssumed } = useOpenDevice()
  return `Local time of the device: ${timeZone}${timeZoneIsAssumed ? ' (assumed)' : ''}.`
}
