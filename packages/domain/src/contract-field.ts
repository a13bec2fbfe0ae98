import { z } from 'zod'
import { ById, endpoint, Page } from './endpoint.ts'
import {
  AfterQuery,
  AssignedBlock,
  ChangeResult,
  FieldChangesAnswer,
  FieldChangesBody,
  FieldPackage,
  FieldPackageSize,
  KeptChanges,
  LabelsQuery,
  OpenConflict,
  ParkedChange,
  SettleBody,
} from './field.ts'
import { Photo, PhotoProgress } from './photos.ts'
import { list, shortText } from './text.ts'

const WRONG_PLACE = 'Informe um número inteiro'
const uuid = z.uuid({ error: 'Identificador inválido' })

const OfPhoto = ById.extend({ photo: uuid })

const FieldDevice = z.object({
  id: z.string(),
  criado_em: z.string(),
  contato_em: z.string(),
  /** Entries that it said are waiting there. */
  pendentes: z.number(),
  ensaios: z.number(),
  revogado_em: z.string().nullable(),
})

const FieldSettings = z.object({
  as_cegas: z.boolean(),
  letras: z.array(z.object({ tratamento: z.number(), nome: z.string().nullable(), letra: z.string() })),
  /** Of every block of the sheet: who is to collect it. */
  blocos: z.array(z.object({ bloco: z.number(), quem: z.string().nullable() })),
})

/** What is recorded in the field, and the phones that record it. */
export const fieldContract = {
  sendFieldChanges: endpoint('sendFieldChanges', {
    access: 'session',
    guests: true,
    summary:
      'Registros feitos no campo, cada um com o seu resultado; o mesmo registro enviado de novo conta uma vez',
    body: FieldChangesBody,
    status: 200,
    output: FieldChangesAnswer,
  }),
  fieldChanges: endpoint('fieldChanges', {
    access: 'session',
    guests: true,
    summary: 'O que todos registraram em um ensaio depois de um cursor, na ordem em que foi gravado',
    params: ById,
    query: AfterQuery,
    status: 200,
    output: KeptChanges,
  }),
  parkedFieldChanges: endpoint('parkedFieldChanges', {
    access: 'session',
    summary: 'Os registros sem lugar e os conflitos de um ensaio que ninguém resolveu, para quem o altera',
    params: ById,
    status: 200,
    output: z.object({ registros: z.array(ParkedChange), conflitos: z.array(OpenConflict) }),
  }),
  settleFieldChange: endpoint('settleFieldChange', {
    access: 'session',
    summary:
      'Um registro sem lugar é colocado em uma célula ou descartado; de um conflito fica um dos valores; o histórico guarda todos',
    params: ById.extend({ change: uuid }),
    body: SettleBody,
    status: 200,
    output: z.object({ resultado: ChangeResult.nullable() }),
  }),
  fieldPackage: endpoint('fieldPackage', {
    access: 'session',
    guests: true,
    summary: 'Um ensaio como vai para o campo, sem custos nem retornos',
    params: ById,
    query: z.object({
      aparelho: uuid.optional(),
      /** Bytes that came before the transfer was cut, and the tag of what they are of. */
      de: z.coerce
        .number({ error: WRONG_PLACE })
        .int(WRONG_PLACE)
        .min(0, WRONG_PLACE)
        .max(1e9, WRONG_PLACE)
        .optional(),
      marca: shortText(100).optional(),
    }),
    status: 200,
    output: FieldPackage,
    others: { 304: { description: 'O mesmo que o aparelho já tem' } },
  }),
  fieldPackageSize: endpoint('fieldPackageSize', {
    access: 'session',
    guests: true,
    summary: 'Quanto um ensaio ocupa na transferência para o campo, e o que vai junto',
    params: ById,
    status: 200,
    output: FieldPackageSize,
  }),
  fieldLabels: endpoint('fieldLabels', {
    access: 'session',
    guests: true,
    summary: 'Etiquetas das parcelas em PDF, nas medidas exatas do papel; às cegas, sem o tratamento',
    params: ById,
    query: LabelsQuery,
    status: 200,
    media: ['application/pdf'],
  }),
  fieldSettings: endpoint('fieldSettings', {
    access: 'session',
    summary: 'Como o ensaio é coletado, e que letra é cada tratamento, para quem o altera',
    params: ById,
    status: 200,
    output: FieldSettings,
  }),
  setFieldSettings: endpoint('setFieldSettings', {
    access: 'session',
    summary:
      'Muda como o ensaio é coletado: às cegas os celulares recebem letras no lugar dos tratamentos; quem coleta cada bloco é uma indicação',
    params: ById,
    body: z.object({
      as_cegas: z.boolean({ error: 'Informe sim ou não' }).optional(),
      blocos: list(AssignedBlock, { most: 500, message: 'Use no máximo 500 blocos' }).optional(),
    }),
    status: 200,
    output: FieldSettings,
  }),
  fieldLabel: endpoint('fieldLabel', {
    access: 'session',
    summary: 'A parcela de uma etiqueta, para quem vê o ensaio',
    params: z.object({ codigo: z.string().regex(/^[0-9A-Za-z]{10}$/, 'Etiqueta inválida') }),
    status: 200,
    output: z.object({
      experimento: z.string(),
      /** The trial's, as on the phone. */
      nome: z.string(),
      parcela: z.string(),
      numero: z.number(),
    }),
  }),
  putPhotoPart: endpoint('putPhotoPart', {
    access: 'session',
    guests: true,
    summary:
      'Uma parte de uma foto, cujo registro já foi enviado; a resposta diz quantos bytes chegaram, e de onde continuar',
    params: OfPhoto,
    multipart: { de: 'quantos bytes vêm antes desta parte', parte: 'até 256 kB do arquivo' },
    status: 200,
    output: PhotoProgress,
  }),
  listPhotos: endpoint('listPhotos', {
    access: 'session',
    summary: 'As fotos das parcelas de um ensaio, as mais novas primeiro',
    params: ById,
    query: Page,
    status: 200,
    output: z.object({ fotos: z.array(Photo), total: z.number(), next_cursor: z.string().nullable() }),
  }),
  getPhoto: endpoint('getPhoto', {
    access: 'session',
    summary: 'Uma foto, com parcela, data e lugar escritos nela; com pequena=1, de até 320 pixels',
    params: OfPhoto,
    query: z.object({ pequena: z.literal('1', { error: 'Use 1' }).optional() }),
    status: 200,
    media: ['image/jpeg'],
  }),
  getSignedPhoto: endpoint('getSignedPhoto', {
    access: 'public',
    summary: 'Uma foto pelo endereço assinado que outro aplicativo recebeu, válido por uma hora',
    params: z.object({ photo: uuid }),
    query: z.object({
      ensaio: z.uuid({ error: 'Endereço inválido' }),
      ate: z.string().regex(/^\d{13}$/, 'Endereço inválido'),
      sinal: shortText(100),
    }),
    status: 200,
    media: ['image/jpeg'],
  }),
  removePhoto: endpoint('removePhoto', {
    access: 'session',
    summary: 'Apaga uma foto, para quem altera as parcelas do ensaio',
    params: OfPhoto,
    status: 204,
  }),
  listDevices: endpoint('listDevices', {
    access: 'session',
    summary: 'Os aparelhos de campo da conta',
    status: 200,
    output: z.object({ aparelhos: z.array(FieldDevice) }),
  }),
  revokeDevice: endpoint('revokeDevice', {
    access: 'session',
    summary: 'Revoga um aparelho de campo; o que ele ainda não enviou continua nele',
    params: ById,
    status: 204,
  }),
}
