import { useForm } from '@mantine/form'
import type { ReactNode } from 'react'
import type { FieldErrors, Values } from './formErrors.ts'

interface Wanted<V extends Values> {
  /** The labels stand in the order of the screen, because the first wrong field gets the focus. */
  readonly labels: Readonly<Record<keyof V & string, string>>
  readonly initial: V
  readonly requires: (name: keyof V & string) => boolean
  readonly longest?: (name: keyof V & string) => number | undefined
  readonly errors: (values: V) => FieldErrors<V>
  readonly onSubmit: (values: V) => void
  readonly onChange?: (() => void) | undefined
}

export interface FieldProps<Value> {
  readonly label: string
  readonly withAsterisk: boolean
  readonly maxLength?: number
  readonly value: Value
  /** It takes a value, or the event of an input. */
  // biome-ignore lint/suspicious/noExplicitAny: each kind of field hands over something else, and all of it is read
  readonly onChange: (given: any) => void
  readonly error?: ReactNode
}

/** It labels fields, shows what is wrong with them, and focuses the first wrong one on submit. */
export function useFieldForm<V extends Values>({ labels, initial, requires, longest, errors, ...on }: Wanted<V>) {
  const form = useForm<V>({
    initialValues: initial,
    validate: (values) => errors(values) as Record<string, string>,
    ...(on.onChange ? { onValuesChange: on.onChange } : {}),
  })
  const focusFirst = (wrong: object) => {
    const first = Object.keys(labels).find((name) => (wrong as FieldErrors<V>)[name])
    if (first !== undefined) form.getInputNode(first as never)?.focus()
  }
  return {
    values: form.values,
    errors: form.errors as FieldErrors<V>,
    isDirty: form.isDirty(),
    set: (changes: Partial<V>) => form.setValues(changes),
    submit: form.onSubmit(on.onSubmit, focusFirst),
    /** It shows errors at fields that somebody else, such as the server, has found. */
    refuse: (wrong: FieldErrors<V>) => {
      form.setErrors(wrong)
      focusFirst(wrong)
    },
    settle: () => form.resetDirty(),
    load: (values: V) => {
      form.setInitialValues(values)
      form.setValues(values)
      form.clearErrors()
    },
    /** The record has these values now; edited fields stay, and fields of `asOne` stay or change together. */
    rebase: (now: V, asOne: readonly (keyof V)[] = []) => {
      const [was, values] = [form.getInitialValues(), form.getValues()]
      const isEdited = (name: keyof V) => JSON.stringify(values[name]) !== JSON.stringify(was[name])
      const stays = (name: keyof V) => isEdited(name) || (asOne.includes(name) && asOne.some(isEdited))
      form.setInitialValues(now)
      form.setValues(
        Object.fromEntries(Object.entries(now).map(([name, value]) => [name, stays(name) ? values[name] : value])) as V,
      )
    },
    field<Name extends keyof V & string>(name: Name): FieldProps<V[Name]> {
      const most = longest?.(name)
      return {
        label: labels[name],
        withAsterisk: requires(name),
        ...(most === undefined ? {} : { maxLength: most }),
        ...(form.getInputProps(name as never) as Pick<FieldProps<V[Name]>, 'value' | 'onChange' | 'error'>),
      }
    },
    switchField: (name: keyof V & string) => ({
      label: labels[name],
      ...(form.getInputProps(name as never, { type: 'checkbox' }) as Pick<FieldProps<boolean>, 'onChange' | 'error'>),
    }),
  }
}
