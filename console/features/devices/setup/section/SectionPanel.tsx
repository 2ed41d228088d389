import type { ReactNode } from 'react'
import { useOpenDevice } from '#console/deviceParts/openDevice.ts'
import { Panel } from '#console/ui/Panel.tsx'
import type { Readings } from '../read/readings.ts'
import { SectionFoot, type SectionFootProps } from './SectionFoot.tsx'

const NO_READINGS: Readings = new Map()

interface SectionPanelProps<Values extends object> extends Omit<SectionFootProps<Values>, 'readings'> {
  readonly title: string
  /** What the client of this device does not know, as a sentence goes on with it. */
  readonly unknownToClient?: string | false | undefined
  /** Whether applying was tried: what stands against it is said aloud. */
  readonly isTried?: boolean
  /** What the device has, where its reports tell. */
  readonly readings?: Readings
  readonly onApply: () => void
  readonly children: ReactNode
}

/** A panel whose settings go to the device as one section: its form, what stands against it, and how it stands. */
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

/** Whose time the times of a section are. */
export function LocalTimeNote({ timeZone }: { readonly timeZone: string }) {
  const { timeZoneIsAssumed } = useOpenDevice()
  return `Local time of the device: ${timeZone}${timeZoneIsAssumed ? ' (assumed)' : ''}.`
}
