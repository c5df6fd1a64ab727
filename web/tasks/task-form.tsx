import { Button, Select, Textarea } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type KeyboardEvent, type RefObject, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { keepDrafts } from '../data/kept-drafts.ts'
import { type CardKind, type Collection, cardKinds } from '../data/records.ts'
import { addTask, patchTask, recordOf, type Task, type TaskPatch } from '../data/tasks.ts'
import { useUnsaved } from '../parts/forms/unsaved.ts'
import { ProblemCallout } from '../parts/layout/problem-callout.tsx'
import { PersonSelect } from '../parts/people/person-select.tsx'
import { RecordFinder } from '../parts/records/record-finder.tsx'
import { onDay, useTimeZone } from '../parts/texts/zoned.ts'
import { useToast } from '../parts/toasts/use-toast.ts'
import { useSignedIn } from '../shell/use-session.ts'
import { DueButton } from './due-button.tsx'
import classes from './task-form.module.css'
import { useTaskPermission } from './use-task-permission.ts'
import { useTaskTypes } from './use-task-types.ts'

/** Maximum length of a task. */
const MOST = 10_000

interface TaskFormProps {
  /** The record that a new task is linked to. */
  collection?: Collection
  id?: number
  /** The task to edit. */
  task?: Task
  /** Whether the record can be selected here. */
  hasRecordInput?: boolean
  /** Whether a button opened the form, so that its text gets the focus. */
  isAsked?: boolean
  onDone?: () => void
}

/** Creates or edits a task. */
export function TaskForm({ collection, id, task, hasRecordInput, isAsked = false, onDone }: TaskFormProps) {
  const { t } = useTranslation()
  const draft = useDraft(task, collection, id)
  const canEdit = useTaskPermission()
  const isLocked = task !== undefined && !canEdit('edit', task)
  const form = useRef<HTMLFormElement>(null)
  const { save, pending, error } = useSave(task, form, (saved) => {
    draft.clear(saved)
    onDone?.()
  })
  const { values, set } = draft
  const isEmpty = values.text?.trim() === ''
  const submit = (event?: FormEvent) => {
    event?.preventDefault()
    if (!isEmpty && !pending) save(values)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit()
  }
  return (
    <form ref={form} className={classes.form} onSubmit={submit} onKeyDown={onKeyDown}>
      <Textarea
        autosize
        minRows={2}
        maxRows={12}
        maxLength={MOST}
        data-autofocus
        autoFocus={isAsked}
        readOnly={isLocked}
        aria-label={t('tasks.text')}
        placeholder={t('tasks.text_hint')}
        value={values.text}
        onChange={({ currentTarget }) => set({ text: currentTarget.value })}
      />
      <TaskFields values={values} set={set} isLocked={isLocked} />
      {hasRecordInput && <RecordInput values={values} set={set} isLocked={isLocked} />}
      <ProblemCallout error={error} />
      {!isLocked && (
        <div className={classes.buttons}>
          {onDone && (
            <Button variant="default" onClick={onDone}>
              {t('act.cancel')}
            </Button>
          )}
          <Button type="submit" loading={pending} disabled={isEmpty}>
            {t(task ? 'act.save' : 'tasks.add')}
          </Button>
        </div>
      )}
    </form>
  )
}

interface TaskFieldsProps {
  values: TaskPatch
  set: (changes: TaskPatch) => void
  isLocked: boolean
}

/** The type, the person and the deadline. */
function TaskFields({ values, set, isLocked }: TaskFieldsProps) {
  const { t } = useTranslation()
  const types = useTaskTypes()
  return (
    <div className={classes.fields}>
      <Select
        className={classes.type}
        aria-label={t('tasks.type')}
        disabled={isLocked}
        data={types.map((type) => ({ value: String(type.id), label: type.name }))}
        value={String(values.task_type_id ?? types[0]?.id ?? '')}
        onChange={(chosen) => chosen && set({ task_type_id: Number(chosen) })}
      />
      <PersonSelect
        className={classes.person}
        aria-label={t('tasks.person')}
        disabled={isLocked}
        value={values.responsible_user_id ?? null}
        onChange={(responsible_user_id) => set({ responsible_user_id })}
      />
      <div className={classes.due}>
        <DueButton
          withIcon
          disabled={isLocked}
          value={values.complete_till ?? 0}
          onChange={(complete_till) => set({ complete_till })}
        />
      </div>
    </div>
  )
}

/** The record that the task is about. */
function RecordInput({ values, set, isLocked }: TaskFieldsProps) {
  const { t } = useTranslation()
  return (
    <RecordFinder
      label={t('tasks.about')}
      kinds={cardKinds}
      disabled={isLocked}
      value={aboutOf(values)}
      onChange={(about) =>
        set({ entity_type: (about?.collection ?? null) as CardKind | null, entity_id: about?.id ?? null })
      }
    />
  )
}

const aboutOf = ({ entity_type, entity_id }: TaskPatch) =>
  entity_type && entity_id ? { collection: entity_type, id: entity_id } : null

const drafts = keepDrafts<{ changes: TaskPatch }>('task', { changes: {} })

/** Keeps the draft of a new task on its card. */
function useKept(key: string): [TaskPatch, (changes: TaskPatch) => void] {
  return [drafts.use(key).changes, (changes) => drafts.keep(key, { changes })]
}

/** Removes a saved task from the draft. What was entered before a late response is the next one. */
const dropSaved = (key: string, saved: TaskPatch) =>
  drafts.keep(key, {
    changes: Object.fromEntries(
      Object.entries(drafts.of(key).changes).filter(
        ([name, value]) => value !== saved[name as keyof TaskPatch],
      ),
    ),
  })

type TaskValues = TaskPatch & Pick<Task, 'text' | 'complete_till'>

/** Returns the values of the form: those of the task, or of a new one for oneself that is due today. */
function useDraft(task: Task | undefined, collection: Collection | undefined, id: number | undefined) {
  const { user } = useSignedIn()
  const zone = useTimeZone()
  const about = task ? recordOf(task) : { collection: cardKinds.find((kind) => kind === collection), id }
  const start = () => ({
    text: task?.text ?? '',
    responsible_user_id: task?.responsible_user_id ?? user.id,
    ...(task && { task_type_id: task.task_type_id, complete_till: task.complete_till }),
    entity_type: about?.collection ?? null,
    entity_id: (about?.collection && about.id) ?? null,
  })
  const own = useState<TaskPatch>({})
  const key = `${collection} ${id}`
  const kept = useKept(key)
  const isKept = !task && id !== undefined
  const [changes, setChanges] = isKept ? kept : own
  const release = useUnsaved(!isKept && Object.keys(changes).length > 0)
  // The end of the day changes when the account's time zone is loaded.
  const values: TaskValues = { complete_till: onDay(zone, Date.now() / 1000), ...start(), ...changes }
  return {
    values,
    set: (more: TaskPatch) => setChanges({ ...changes, ...more }),
    clear: (saved: TaskPatch) => {
      release()
      if (isKept) dropSaved(key, saved)
      else setChanges({})
    },
  }
}

/** Saves with an optimistic update, which may unmount this form before the response. */
function useSave(
  task: Task | undefined,
  form: RefObject<HTMLFormElement | null>,
  onSaved: (values: TaskValues) => void,
) {
  const { t } = useTranslation()
  const toast = useToast()
  const add = useMutation(addTask)
  const patch = useMutation(patchTask)
  const onSuccess = (values: TaskValues) => {
    toast.done(t(task ? 'app.saved' : 'tasks.added'))
    // The dialog closes, or the draft is empty, before the next click can save.
    flushSync(() => onSaved(values))
  }
  const onError = (error: unknown) => {
    if (!form.current) toast.refused(error)
  }
  const write = (values: TaskValues) =>
    task ? patch.mutateAsync({ task, patch: changed(task, values) }) : add.mutateAsync(values)
  // The second click of a double click comes before the button is disabled.
  const isSaving = useRef(false)
  const save = async (values: TaskValues) => {
    if (isSaving.current) return
    isSaving.current = true
    await write(values).then(() => onSuccess(values), onError)
    isSaving.current = false
  }
  return {
    save: (values: TaskValues) => void save(values),
    pending: add.isPending || patch.isPending,
    error: add.error ?? patch.error,
  }
}

/** Sends only changed values, so that a hidden record stays linked. */
const changed = (task: Task, values: TaskValues): TaskPatch =>
  Object.fromEntries(Object.entries(values).filter(([name, value]) => value !== task[name as keyof Task]))
