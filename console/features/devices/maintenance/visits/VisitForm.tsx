import { Checkbox, Input, Textarea, TextInput } from '@mantine/core'
import { IconCamera, IconCheck, IconPlus, IconTrash } from '@tabler/icons-react'
import { useId, useRef, useState } from 'react'
import { failureMessage } from '#console/lib/call/CallFailed.ts'
import { serverNowMs } from '#console/lib/call/serverClock.ts'
import { toasts } from '#console/lib/call/toasts.ts'
import { newUuid } from '#console/lib/newUuid.ts'
import { confirmDialog } from '#console/lib/notice/dialogs.ts'
import { useUser } from '#console/lib/session/session.ts'
import { formatMinute } from '#console/lib/time/time.ts'
import { ActionButton } from '#console/ui/button/ActionButton.tsx'
import { IconButton } from '#console/ui/button/IconButton.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import type { Device } from '#contract/http/devices/devices.ts'
import { MOST_VISIT_PHOTOS } from '#contract/http/devices/visits.ts'
import {
  MAINTENANCE_ACTIONS,
  MAINTENANCE_REASONS,
  MAINTENANCE_RESOLUTIONS,
} from '#domain/maintenanceWindows/maintenanceLabels.ts'
import { drawnAnew } from './photo.ts'
import { draftTrouble, type VisitDraft, visitBody } from './visitDraft.ts'
import { queueVisit } from './visitQueue.ts'

const CHOICES = [
  ['reasonId', 'Reason', MAINTENANCE_REASONS],
  ['actionId', 'Action', MAINTENANCE_ACTIONS],
  ['resolutionId', 'Resolution', MAINTENANCE_RESOLUTIONS],
] as const

interface Props {
  readonly device: Device
  readonly draft: VisitDraft
  readonly onChange: (draft: VisitDraft) => void
  readonly onEnd: () => Promise<void>
}

/** What was checked, exchanged and done. It needs no network. */
export function VisitForm({ device, draft, onChange, onEnd }: Props) {
  const { id: userId } = useUser()
  const [trouble, setTrouble] = useState<string>()
  const change = (changed: Partial<VisitDraft>) => {
    setTrouble(undefined)
    onChange({ ...draft, ...changed })
  }
  const finish = async () => {
    const missing = draftTrouble(draft)
    setTrouble(missing)
    if (missing !== undefined) return
    const key = newUuid()
    const body = visitBody(device, draft, new Date(serverNowMs()))
    await queueVisit({ key, userId, guid: device.guid, deviceName: device.name, body, photos: draft.photos })
    await onEnd()
    toasts.success('The visit is written down.')
  }
  const giveUp = async () => {
    const question = { title: 'Discard visit', text: 'Discard what you wrote about this visit?', isDangerous: true }
    if (await confirmDialog(question)) await onEnd()
  }
  return (
    <Panel title={`Visit since ${formatMinute(draft.startedAt)}`} isPadded>
      <div className="visit-form">
        <Checks draft={draft} onChange={change} />
        <Parts draft={draft} onChange={change} />
        {CHOICES.map(([field, name, names]) => (
          <Choice
            key={field}
            name={name}
            names={names}
            value={draft[field]}
            onChange={(id) => change({ [field]: id })}
          />
        ))}
        <Textarea
          label="Comment"
          withAsterisk
          autosize
          minRows={3}
          maxLength={4000}
          value={draft.comment}
          error={trouble}
          onChange={({ currentTarget }) => change({ comment: currentTarget.value })}
        />
        <Photos draft={draft} onChange={change} />
        <div className="visit-buttons">
          <ActionButton icon={IconCheck} isMain onClick={() => void finish()}>
            Finish visit
          </ActionButton>
          <ActionButton icon={IconTrash} onClick={() => void giveUp()}>
            Discard
          </ActionButton>
        </div>
      </div>
    </Panel>
  )
}

interface PartProps {
  readonly draft: VisitDraft
  readonly onChange: (changed: Partial<VisitDraft>) => void
}

function Checks({ draft: { checklist }, onChange }: PartProps) {
  const set = (index: number, isDone: boolean) =>
    onChange({ checklist: checklist.map((check, at) => (at === index ? { ...check, isDone } : check)) })
  return (
    <fieldset className="visit-checks">
      <legend>Checklist</legend>
      {checklist.map(({ text, isDone }, index) => (
        <Checkbox
          key={text}
          label={text}
          checked={isDone}
          onChange={({ currentTarget }) => set(index, currentTarget.checked)}
        />
      ))}
    </fieldset>
  )
}

const PART_FIELDS = [
  ['name', 'Part', ''],
  ['oldSerialNumber', 'Old serial number', ' of part'],
  ['newSerialNumber', 'New serial number', ' of part'],
] as const
const NO_PART = { name: '', oldSerialNumber: '', newSerialNumber: '' }

function Parts({ draft: { parts }, onChange }: PartProps) {
  const set = (index: number, changed: Partial<(typeof parts)[number]>) =>
    onChange({ parts: parts.map((part, at) => (at === index ? { ...part, ...changed } : part)) })
  return (
    <fieldset className="visit-checks">
      <legend>Parts exchanged</legend>
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other identity while they are written
        <div key={index} className="visit-part">
          {PART_FIELDS.map(([field, label, of]) => (
            <TextInput
              key={field}
              aria-label={`${label}${of} ${index + 1}`}
              placeholder={label}
              maxLength={100}
              value={part[field]}
              onChange={({ currentTarget }) => set(index, { [field]: currentTarget.value })}
            />
          ))}
          <IconButton
            icon={IconTrash}
            aria-label={`Remove part ${index + 1}`}
            onClick={() => onChange({ parts: parts.filter((_, at) => at !== index) })}
          />
        </div>
      ))}
      <ActionButton icon={IconPlus} onClick={() => onChange({ parts: [...parts, NO_PART] })}>
        Add a part
      </ActionButton>
    </fieldset>
  )
}

interface ChoiceProps {
  readonly name: string
  readonly names: readonly { readonly id: number; readonly name: string }[]
  readonly value: number | null
  readonly onChange: (value: number | null) => void
}

/** A select of the system itself, which is the easiest to use on a telephone. */
const Choice = ({ name, names, value, onChange }: ChoiceProps) => {
  const id = useId()
  return (
    <Input.Wrapper label={name} labelProps={{ htmlFor: id }}>
      <Input
        component="select"
        id={id}
        size="xs"
        value={value ?? ''}
        onChange={({ currentTarget }) => onChange(currentTarget.value === '' ? null : Number(currentTarget.value))}
      >
        <option value="">Not chosen</option>
        {names.map((one) => (
          <option key={one.id} value={one.id}>
            {one.name}
          </option>
        ))}
      </Input>
    </Input.Wrapper>
  )
}

function Photos({ draft: { photos }, onChange }: PartProps) {
  const input = useRef<HTMLInputElement>(null)
  const add = async (files: readonly File[]) => {
    const added = []
    try {
      for (const file of files.slice(0, MOST_VISIT_PHOTOS - photos.length)) {
        added.push({ key: newUuid(), takenDt: new Date(serverNowMs()).toISOString(), jpeg: await drawnAnew(file) })
      }
    } catch (failure) {
      toasts.error(failureMessage(failure))
    }
    if (added.length > 0) onChange({ photos: [...photos, ...added] })
  }
  return (
    <fieldset className="visit-checks">
      <legend>
        Photos ({photos.length} of {MOST_VISIT_PHOTOS})
      </legend>
      <div className="visit-photos">
        {photos.map(({ key, jpeg }, index) => (
          <figure key={key}>
            <img src={`data:image/jpeg;base64,${jpeg}`} alt={`Taken on site, ${index + 1}`} />
            <IconButton
              icon={IconTrash}
              aria-label={`Remove photo ${index + 1}`}
              onClick={() => onChange({ photos: photos.filter((photo) => photo.key !== key) })}
            />
          </figure>
        ))}
      </div>
      <input
        ref={input}
        type="file"
        accept="image/*"
        multiple
        hidden
        aria-label="Photos"
        onChange={({ currentTarget }) => {
          void add([...(currentTarget.files ?? [])])
          currentTarget.value = ''
        }}
      />
      <ActionButton
        icon={IconCamera}
        disabled={photos.length >= MOST_VISIT_PHOTOS}
        onClick={() => input.current?.click()}
      >
        Add photos
      </ActionButton>
    </fieldset>
  )
}
