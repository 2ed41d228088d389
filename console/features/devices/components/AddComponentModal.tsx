import { Modal, Select } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { alertDialog } from '#console/lib/notice/dialogs.ts'
import { ModalForm } from '#console/ui/form/ModalForm.tsx'
import { categoryOfModel } from '#domain/components/componentFields.ts'
import { componentModelTitle } from '#domain/components/componentModels.ts'
import { addProblem, incompleteness, OFFERED_MODELS } from '#domain/components/componentRules.ts'
import type { EditedComponent } from '#domain/components/deviceComponent.ts'
import type { DeviceModelId } from '#domain/ids.ts'
import { required } from '#domain/validation/messages.ts'
import { ComponentFields } from './ComponentFields.tsx'
import { type Edits, newComponent } from './componentEdits.ts'

const MODELS = OFFERED_MODELS.map((model) => ({ value: String(model.id), label: componentModelTitle(model) }))

interface Props {
  readonly isOpen: boolean
  readonly components: Edits
  readonly deviceModelId: DeviceModelId
  readonly onAdd: (component: EditedComponent) => void
  readonly onClose: () => void
}

/** It adds a component to the list on the page without saving it (rules/components 10). */
export function AddComponentModal({ isOpen, onClose, ...form }: Props) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Add component" size={420}>
      <AddComponentForm onCancel={onClose} {...form} />
    </Modal>
  )
}

type FormProps = Omit<Props, 'isOpen' | 'onClose'> & { readonly onCancel: () => void }

function AddComponentForm({ components, deviceModelId, onAdd, onCancel }: FormProps) {
  const [draft, setDraft] = useState<EditedComponent>()
  const [isTried, setIsTried] = useState(false)
  const choose = (modelId: number | undefined) => {
    const problem = modelId === undefined ? undefined : addProblem(components, modelId)
    setDraft(modelId === undefined || problem ? undefined : newComponent(components, modelId))
    setIsTried(false)
    // A form that would be refused in any case is not opened.
    if (problem) void alertDialog(problem.title, problem.text)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setIsTried(true)
    if (draft && !incompleteness(draft)) onAdd(draft)
  }
  return (
    <ModalForm onSubmit={submit} submitLabel="Ok" onCancel={onCancel}>
      <Select
        label="Model"
        withAsterisk
        data-autofocus
        searchable
        data={MODELS}
        nothingFoundMessage="Nothing found"
        value={draft ? String(draft.modelId) : null}
        description={draft && categoryOfModel(draft.modelId)?.name}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        error={isTried && !draft ? required('Model') : undefined}
        onChange={(id) => choose(id === null ? undefined : Number(id))}
      />
      {draft && (
        <ComponentFields
          component={draft}
          components={components}
          deviceModelId={deviceModelId}
          showsErrors={isTried}
          onChange={(change) => setDraft({ ...draft, ...change })}
        />
      )}
    </ModalForm>
  )
}
