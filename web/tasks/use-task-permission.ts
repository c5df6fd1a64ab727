import { useQuery } from '@tanstack/react-query'
import { colleaguesOptions } from '../data/colleagues.ts'
import type { Task } from '../data/tasks.ts'
import { useRights, useSignedIn } from '../shell/use-session.ts'

/** Returns whether the person can edit or delete a task; this depends on who is responsible for it. */
export function useTaskPermission(): (right: 'edit' | 'delete', task: Task) => boolean {
  const { tasks } = useRights()
  const { user } = useSignedIn()
  const { data: people = [] } = useQuery({
    ...colleaguesOptions,
    enabled: /G/.test(tasks.edit + tasks.delete),
  })
  const groupOf = (id: number) => people.find((one) => one.id === id)?.group_id
  return (right, { responsible_user_id }) => {
    const width = tasks[right]
    if (width === 'M') return responsible_user_id === user.id
    if (width === 'G') return groupOf(responsible_user_id) === groupOf(user.id)
    return width === 'A'
  }
}
