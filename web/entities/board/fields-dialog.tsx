import { Button } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { useId, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FieldEditor, lockOf } from '../../custom-fields/field-editor.tsx'
import { useFieldText } from '../../custom-fields/use-field-text.ts'
import type { WireValue } from '../../custom-fields/values.ts'
import type { CustomField } from '../../data/fields.ts'
import dialog from '../../parts/dialogs/dialog.module.css'
import { Dialog } from '../../parts/dialogs/dialog.tsx'
import { useUnsaved } from '../../parts/forms/unsaved.ts'
import classes from './board.module.css'
import type { MoveValues } from './move-values.ts'

interface FieldsDialogProps {
  title: string
  stage: string
  fields: CustomField[]
  pending?: boolean
  onAnswer: (values: MoveValues) => void
  onClose: () => void
}

type Filled = Readonly<Record<number, WireValue[]>>

/** Asks for the values that a stage requires. */
export function FieldsDialog({ title, stage, fields, pending, onAnswer, onClose }: FieldsDialogProps) {
  const { t } = useTranslation()
  const names = useId()
  const { filled, open, setOpen, save, submit, go } = useFilling(fields, onAnswer)
  return (
    <Dialog onClose={onClose} title={title}>
      <p className={classes.why}>{t('board.fields_why', { stage })}</p>
      <dl className={classes.fields}>
        {fields.map((field) => (
          <div key={field.id} className={classes.field}>
            <dt id={`${names}-${field.id}`}>{field.name}</dt>
            {/* The dialog would focus its first button. This element cannot take the focus, so it stays with the editor. */}
            <dd data-autofocus={open === field.id || undefined}>
              {open === field.id ? (
                <FieldEditor
                  field={field}
                  value={filled[field.id]}
                  onSave={(values) => save(field, values)}
                  onCancel={() => setOpen((now) => (now === field.id ? undefined : now))}
                />
              ) : (
                <FilledIn
                  field={field}
                  values={filled[field.id]}
                  describedBy={`${names}-${field.id}`}
                  onOpen={() => setOpen(field.id)}
                />
              )}
            </dd>
          </div>
        ))}
      </dl>
      <div className={dialog.buttons}>
        <Button variant="default" onClick={onClose}>
          {t('act.cancel')}
        </Button>
        <Button
          ref={go}
          onClick={submit}
          loading={pending}
          disabled={fields.some((field) => lockOf(field) !== null)}
        >
          {t('board.fields_go', { stage })}
        </Button>
      </div>
    </Dialog>
  )
}

/** The values so far, and the field that is being edited: after one is saved, the next empty one opens. */
function useFilling(fields: CustomField[], onAnswer: FieldsDialogProps['onAnswer']) {
  const [filled, setFilled] = useState<Filled>({})
  const isWanted = (field: CustomField) => !filled[field.id]?.length && lockOf(field) === null
  /** `go` when all are filled in. */
  const [open, setOpen] = useState<number | 'go' | undefined>(() => fields.find(isWanted)?.id)
  const go = useRef<HTMLButtonElement>(null)
  useUnsaved(Object.keys(filled).length > 0)
  // A layout effect, because the next key may already be pressed.
  useLayoutEffect(() => {
    if (open === 'go') go.current?.focus()
  }, [open])
  const save = (field: CustomField, values: WireValue[]) => {
    setFilled((before) => ({ ...before, [field.id]: values }))
    const next = fields.find((one) => one.id !== field.id && isWanted(one))
    setOpen(next?.id ?? 'go')
  }
  const submit = () => {
    const first = fields.find(isWanted)
    if (first) setOpen(first.id)
    else onAnswer(valuesOf(filled))
  }
  return { filled, open, setOpen, save, submit, go }
}

interface FilledInProps {
  field: CustomField
  values: WireValue[] | undefined
  /** The id of the element with the field's name. */
  describedBy: string
  onOpen: () => void
}

/** The entered value, or a prompt; a lock for fields of a service. */
function FilledIn({ field, values, describedBy, onOpen }: FilledInProps) {
  const { t } = useTranslation()
  const text = useFieldText()
  if (lockOf(field) !== null)
    return (
      <span className={classes.locked}>
        <IconLock size={14} stroke={1.7} aria-hidden />
        {field.origin ? t('board.field_of', { owner: field.origin }) : t('board.field_locked')}
      </span>
    )
  return (
    <button type="button" className={classes.fill} onClick={onOpen} aria-describedby={describedBy}>
      {values?.length ? text(field, values) : t('board.field_empty')}
    </button>
  )
}

const valuesOf = (filled: Filled): MoveValues => ({
  custom_fields_values: Object.entries(filled).map(([field_id, values]) => ({
    field_id: Number(field_id),
    values,
  })),
})
