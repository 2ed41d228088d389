import type { ReactNode } from 'react'
import { useOpenDevice } from '#console/deviceParts/openDevice.ts'
import { Panel } from '#console/ui/Panel.tsx'
import type { Readings } from '../read/readings.ts'
import { SectionFoot, type SectionFootProps } from './SectionFoot.tsx'

const NO_READINGS: Readings = new Map()

interface SectionPanelProps<Values extends object> extends Omit<SectionFootProps<Values>, 'readings'> {
  readonly title: string
  readonly unknownToClient?: string | false | undefined
  readonly isTried?: boolean
  readonly readings?: Readings
  readonly onApply: () => void
  readonly children: ReactNode
}

export function SectionPanel<Values extends object>({
  title,
  unknownToClient,
  isTried = false,
  readings = NO_READINGS,
  onApply,
  children,
  ...foot
}: SectionPanelProps<Values>) {
  return (
    <Panel title={title} isPadded>
      <form
        className="setup-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          onApply()
        }}
      >
        {unknownToClient && (
          <p className="setup-warning" role={isTried ? 'alert' : 'note'}>
            The client of this device does not know {unknownToClient}. Update the client first.
          </p>
        )}
        {children}
        <SectionFoot {...foot} readings={readings} />
      </form>
    </Panel>
  )
}

export function LocalTimeNote({ timeZone }: { readonly timeZone: string }) {
  const { timeZoneIsAssumed } = useOpenDevice()
  return `Local time of the device: ${timeZone}${timeZoneIsAssumed ? ' (assumed)' : ''}.`
}
