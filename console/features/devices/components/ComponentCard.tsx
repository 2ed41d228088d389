import { IconTrash } from '@tabler/icons-react'
import { useId } from 'react'
import { Age } from '#console/ui/Age.tsx'
import { IconButton } from '#console/ui/button/IconButton.tsx'
import { componentTitle } from '#domain/components/componentFields.ts'
import { componentModelById, componentModelTitle } from '#domain/components/componentModels.ts'
import { ComponentFields, type ComponentFieldsProps } from './ComponentFields.tsx'
import { RemovedComponent } from './RemovedComponent.tsx'

interface Props extends ComponentFieldsProps {
  readonly lastReport: string | null | undefined
  readonly onRemove: () => void
}

export function ComponentCard({ lastReport, onRemove, ...fields }: Props) {
  const { component, onChange } = fields
  const headingId = useId()
  const name = componentTitle(component)
  const model = componentModelById(component.modelId)
  if (component.removed) return <RemovedComponent name={name} onUndo={() => onChange({ removed: false })} />
  return (
    <li className="component" aria-labelledby={headingId} data-new={component.id < 0 || undefined}>
      <header className="component-head">
        <div>
          <h3 id={headingId}>{name}</h3>
          <p>
            {model ? componentModelTitle(model) : `Model ${component.modelId}`}
            {component.id < 0 && ' · not saved yet'}
            {lastReport === null && component.isExpected && ' · expected, not reported yet'}
            {lastReport && (
              <>
                {' · '}last report <Age at={lastReport} />
              </>
            )}
          </p>
        </div>
        <IconButton icon={IconTrash} tip={`Remove ${name}`} size={28} onClick={onRemove} />
      </header>
      <ComponentFields {...fields} />
    </li>
  )
}
