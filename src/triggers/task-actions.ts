import { action, CHOSEN, isGiven } from './action.ts'
import { assign, DAY, recordOf } from './record-actions.ts'
import type { Scene } from './scene.ts'

/** A task of a lead: the given one, or a new one. */
async function taskOf(scene: Scene, { task, lead }: { task: number | null; lead: number | null }) {
  if (task !== null) return task
  const entity_id = await recordOf(scene, 'lead', lead)
  const draft = { text: 'Call', complete_till: scene.now + DAY, entity_type: 'leads', entity_id }
  return scene.add('task', 'tasks', draft)
}

const TASK = { task: null, lead: null } as const

/** A change of a task. `change` makes the members from what is set and the present task. */
const change = <const M extends Record<string, string | number | null>>(
  summary: string,
  members: M,
  body: (set: M, task: { task_type_id: number; complete_till: number }) => object,
) =>
  action(summary, { ...TASK, ...members }, async (scene, set) => {
    const path = `tasks/${await taskOf(scene, set as { task: number | null; lead: number | null })}`
    await scene.ask('PATCH', path, body(set as unknown as M, await scene.ask('GET', path)))
  })

export const taskAdded = action(
  'Adds a task to a lead.',
  { lead: null, text: 'Call' },
  async (scene, { lead, text }) => {
    const entity_id = await recordOf(scene, 'lead', lead)
    await scene.add('task', 'tasks', {
      text,
      complete_till: scene.now + DAY,
      entity_type: 'leads',
      entity_id,
    })
  },
)
export const taskDeleted = action('Deletes a task.', TASK, async (scene, set) =>
  scene.ask('DELETE', `tasks/${await taskOf(scene, set)}`),
)
export const taskText = change('Changes the text of a task.', { text: 'Call back' }, ({ text }) => ({ text }))
export const taskReassigned = action(
  'Makes another person responsible for a task.',
  { ...TASK, user: null },
  async (scene, set) => assign(scene, `tasks/${await taskOf(scene, set)}`, set.user),
)

export const taskActions = {
  task_added: taskAdded,
  task_deleted: taskDeleted,
  task_completed: change('Completes a task.', {}, () => ({ is_completed: true })),
  task_type_changed: change('Changes the type of a task.', { task_type_id: null }, (set, task) => ({
    task_type_id: set.task_type_id ?? (task.task_type_id === 2 ? 1 : 2),
  })),
  task_text_changed: taskText,
  task_deadline_changed: change(
    'Changes the deadline of a task.',
    { complete_till: CHOSEN },
    (set, { complete_till }) => ({
      complete_till: isGiven(set.complete_till) ? set.complete_till : complete_till + DAY,
    }),
  ),
  task_result_added: change('Completes a task with a result.', { text: 'Done' }, ({ text }) => ({
    is_completed: true,
    result: { text },
  })),
}
