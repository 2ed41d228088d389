import { Button, Group } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { deviceMessages } from '#console/deviceParts/deviceMessages.ts'
import { useOpenDevice } from '#console/deviceParts/openDevice.ts'
import { SettingsNotTaken } from '#console/deviceParts/settings/SettingsNotTaken.tsx'
import { useCall } from '#console/lib/call/useCall.ts'
import { alertDialog, confirmDialog } from '#console/lib/notice/dialogs.ts'
import { sectionAnchor } from '#console/lib/sectionAnchor.ts'
import { address } from '#console/router/addressText.ts'
import { Link, useLocation } from '#console/router/Router.tsx'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { ActionButton } from '#console/ui/button/ActionButton.tsx'
import { LoadingOverlay } from '#console/ui/LoadingOverlay.tsx'
import { lazyDialog } from '#console/ui/lazyDialog.tsx'
import { lazyPart } from '#console/ui/lazyPart.tsx'
import { EmptyNote } from '#console/ui/notes.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import { listDeviceComponentsExt } from '#contract/http/devices/components.ts'
import { componentProblem } from '#domain/components/componentRules.ts'
import type { EditedComponent } from '#domain/components/deviceComponent.ts'
import { ComponentCard } from './ComponentCard.tsx'
import { withChange, withoutComponent } from './componentEdits.ts'
import { useComponentEdits } from './useComponentEdits.ts'
import './components.css'

const AddComponentModal = lazyDialog(() => import('./AddComponentModal.tsx').then((part) => part.AddComponentModal))
const DriversPanel = lazyPart(() => import('./DriversPanel.tsx').then((part) => part.DriversPanel))
const FoundParts = lazyPart(() => import('./FindParts.tsx').then((part) => part.FoundParts))
const VerdictNow = lazyPart(() => import('./FindParts.tsx').then((part) => part.VerdictNow))
const FeedsPanel = lazyPart(() => import('./FeedsPanel.tsx').then((part) => part.FeedsPanel))

/** The components of a device are for admins (rules/components 16). */
export function ComponentsTab() {
  const device = useOpenDevice()
  const loaded = useCall(listDeviceComponentsExt, { deviceId: device.id })
  const { anchor } = useLocation()
  const shown = PARTS.find((title) => sectionAnchor(title) === anchor) ?? 'Components'
  const [isWiringOpened, setWiringOpened] = useState(false)
  const isGuided = shown === 'Find parts'
  const showsWiring = isGuided || shown === 'Power wiring'
  if (showsWiring && !isWiringOpened) setWiringOpened(true)
  return (
    <div className="components-tab">
      <SettingsNotTaken device={device} />
      <nav className="components-parts" aria-label="Parts of the components">
        {PARTS.map((title) => (
          <Link
            key={title}
            to={address('/devices/$guid/device-components', { guid: device.guid }, sectionAnchor(title))}
            aria-current={title === shown ? 'true' : undefined}
          >
            {title}
          </Link>
        ))}
      </nav>
      {/* Changes of one part stay while another one is shown. */}
      <div hidden={shown !== 'Components'}>
        <AsyncView query={loaded}>{(components) => <ComponentsEditor components={components} />}</AsyncView>
      </div>
      {shown === 'Drivers' && <DriversPanel device={device} />}
      {isGuided && <FoundParts device={device} />}
      <div hidden={!showsWiring}>
        {isWiringOpened && <FeedsPanel device={device} title={isGuided ? '2. What feeds what' : 'Power wiring'} />}
      </div>
      {isGuided && <VerdictNow device={device} />}
    </div>
  )
}

/** They are three subjects, each saved on its own, and a guide through all of them. */
const PARTS = ['Components', 'Drivers', 'Power wiring', 'Find parts'] as const

type Loaded = NonNullable<ReturnType<typeof useCall<typeof listDeviceComponentsExt>>['data']>

function ComponentsEditor({ components }: { readonly components: Loaded }) {
  const device = useOpenDevice()
  const { edits, setEdits, hasChanges, save, cancel, isSaving } = useComponentEdits(device, components)
  const [isAdding, setIsAdding] = useState(false)
  const lastReportOf = new Map(components.map(({ id, lastReport }) => [id, lastReport]))

  const add = async (added: EditedComponent) => {
    const next = [...edits, added]
    // An earlier problem is reported on saving, and does not prevent adding.
    const problem = componentProblem(edits) ? undefined : componentProblem(next)
    if (problem) return alertDialog(problem.title, problem.text)
    setEdits(next)
    setIsAdding(false)
  }
  const discard = async () => {
    if (!hasChanges || (await confirmDialog({ title: 'Cancel', text: deviceMessages.discardComponents }))) cancel()
  }

  return (
    <Panel
      title="Components"
      meta={
        <ActionButton icon={IconPlus} onClick={() => setIsAdding(true)}>
          Add new
        </ActionButton>
      }
    >
      <LoadingOverlay isVisible={isSaving} label="Saving" />
      {edits.length === 0 ? (
        <EmptyNote title="This device has no components" />
      ) : (
        <ul className="components" aria-label="Components">
          {edits.map((component) => (
            <ComponentCard
              key={component.id}
              component={component}
              components={edits}
              deviceModelId={device.modelId}
              lastReport={lastReportOf.get(component.id)}
              onChange={(change) => setEdits(withChange(edits, component.id, change))}
              onRemove={() => setEdits(withoutComponent(edits, component.id))}
            />
          ))}
        </ul>
      )}
      <Group className="components-save" data-dirty={hasChanges || undefined} gap="sm">
        <span role="status">{hasChanges && 'Not saved yet'}</span>
        <Button variant="default" disabled={!hasChanges || isSaving} onClick={() => void discard()}>
          Cancel
        </Button>
        <Button disabled={!hasChanges} loading={isSaving} onClick={() => void save()}>
          Save
        </Button>
      </Group>
      <AddComponentModal
        isOpen={isAdding}
        components={edits}
        deviceModelId={device.modelId}
        onAdd={(component) => void add(component)}
        onClose={() => setIsAdding(false)}
      />
    </Panel>
  )
}
