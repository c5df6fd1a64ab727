import { ActionIcon, Button } from '@mantine/core'
import { IconForms, IconMessageCircle, IconPencil, IconPlus, IconShare, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { pipelinesOptions } from '../data/pipelines.ts'
import { removeSiteForm, type SiteForm, siteFormsOptions } from '../data/site-forms.ts'
import { Confirm } from '../parts/dialogs/confirm.tsx'
import dialog from '../parts/dialogs/dialog.module.css'
import { Dialog } from '../parts/dialogs/dialog.tsx'
import { useAction } from '../parts/forms/use-action.ts'
import { EmptyState } from '../parts/layout/empty-state.tsx'
import { Loaded } from '../parts/layout/loaded.tsx'
import { Page } from '../parts/layout/page.tsx'
import { Status } from '../parts/layout/status.tsx'
import { DataTable } from '../parts/lists/data-table.tsx'
import { Copyable } from '../parts/texts/copyable.tsx'
import { embedCode } from './embed-code.ts'
import { FormDialog } from './form-dialog.tsx'
import classes from './forms.module.css'

/** The forms that the company puts on its sites. */
export function FormsPage() {
  const { t } = useTranslation()
  const query = useQuery(siteFormsOptions)
  const [edited, setEdited] = useState<SiteForm | 'form' | 'button'>()
  const add = (
    <>
      <Button
        variant="default"
        leftSection={<IconMessageCircle size={15} />}
        onClick={() => setEdited('button')}
      >
        {t('siteForms.add_button')}
      </Button>
      <Button leftSection={<IconPlus size={15} />} onClick={() => setEdited('form')}>
        {t('siteForms.add')}
      </Button>
    </>
  )
  return (
    <Page
      title={t('siteForms.title')}
      lead={t('siteForms.lead')}
      actions={(query.data?.length ?? 0) > 0 && add}
    >
      <Loaded query={query}>
        {(forms) =>
          forms.length === 0 ? (
            <EmptyState icon={IconForms} title={t('siteForms.empty_title')} action={add}>
              {t('siteForms.empty_text')}
            </EmptyState>
          ) : (
            <Forms forms={forms} onEdit={setEdited} />
          )
        }
      </Loaded>
      {edited && (
        <FormDialog
          form={typeof edited === 'string' ? undefined : edited}
          isButton={typeof edited === 'string' ? edited === 'button' : edited.button !== null}
          onClose={() => setEdited(undefined)}
        />
      )}
    </Page>
  )
}

function Forms({ forms, onEdit }: { forms: SiteForm[]; onEdit: (form: SiteForm) => void }) {
  const { t } = useTranslation()
  const { data: pipelines = [] } = useQuery(pipelinesOptions)
  const [shared, setShared] = useState<SiteForm>()
  const [removing, setRemoving] = useState<SiteForm>()
  return (
    <>
      <DataTable
        label={t('siteForms.title')}
        rows={forms}
        rowKey={({ id }) => id}
        columns={[
          {
            title: t('siteForms.column.name'),
            cell: (form) => (
              <button type="button" className={classes.name} onClick={() => onEdit(form)} data-row-link>
                {form.name}
              </button>
            ),
          },
          {
            title: t('siteForms.column.kind'),
            showFrom: 'medium',
            cell: ({ button }) => t(button ? 'siteForms.button' : 'siteForms.form'),
          },
          {
            title: t('siteForms.column.pipeline'),
            showFrom: 'medium',
            cell: ({ pipeline_id }) => pipelines.find(({ id }) => id === pipeline_id)?.name,
          },
          {
            title: t('siteForms.column.state'),
            cell: ({ is_enabled }) => (
              <Status tone={is_enabled ? 'good' : 'off'}>
                {t(is_enabled ? 'siteForms.on' : 'siteForms.off')}
              </Status>
            ),
          },
          {
            title: t('siteForms.column.actions'),
            actions: true,
            cell: (form) => (
              <FormButtons form={form} onShare={setShared} onEdit={onEdit} onRemove={setRemoving} />
            ),
          },
        ]}
      />
      {shared && <ShareDialog form={shared} onClose={() => setShared(undefined)} />}
      <RemoveForm form={removing} onClose={() => setRemoving(undefined)} />
    </>
  )
}

type OnForm = (form: SiteForm) => void

interface FormButtonsProps {
  form: SiteForm
  onShare: OnForm
  onEdit: OnForm
  onRemove: OnForm
}

function FormButtons({ form, onShare, onEdit, onRemove }: FormButtonsProps) {
  const { t } = useTranslation()
  const { name } = form
  const buttons = [
    { label: t('siteForms.share_of', { name }), Icon: IconShare, act: onShare },
    { label: t('siteForms.edit_of', { name }), Icon: IconPencil, act: onEdit },
    { label: t('siteForms.remove_of', { name }), Icon: IconTrash, act: onRemove },
  ]
  return (
    <span className={classes.buttons}>
      {buttons.map(({ label, Icon, act }) => (
        <ActionIcon
          key={label}
          variant="subtle"
          color="gray"
          onClick={() => act(form)}
          aria-label={label}
          title={label}
        >
          <Icon size={16} />
        </ActionIcon>
      ))}
    </span>
  )
}

/** The address of the form, and the code that puts it on a page. */
function ShareDialog({ form, onClose }: { form: SiteForm; onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <Dialog onClose={onClose} title={t('siteForms.share')} size={560}>
      <div className={dialog.fields}>
        <Copyable label={t('siteForms.link')} value={form.url} />
        <Copyable label={t('siteForms.embed')} value={form.button?.code ?? embedCode(form)} />
        {form.button && (
          <p>{t('siteForms.button_hint', { websites: form.button.trusted_websites.join(', ') })}</p>
        )}
      </div>
    </Dialog>
  )
}

function RemoveForm({ form, onClose }: { form: SiteForm | undefined; onClose: () => void }) {
  const { t } = useTranslation()
  const remove = useAction(removeSiteForm, t('siteForms.removed'))
  return (
    <Confirm
      opened={form !== undefined}
      title={t('siteForms.remove_title', { name: form?.name ?? '' })}
      action={t('siteForms.remove')}
      pending={remove.pending}
      onConfirm={() => form && remove.run(form.id, onClose)}
      onClose={onClose}
    >
      <p>{t('siteForms.remove_text')}</p>
    </Confirm>
  )
}
