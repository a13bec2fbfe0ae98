import { AdminPage } from '../../features/admin/AdminPage.tsx'
import { Deleted } from '../../features/organizations/Deleted.tsx'
import { OrganizationData } from '../../features/organizations/OrganizationData.tsx'

export const AdminRoute = () => <AdminPage organization={<OrganizationData />} deleted={<Deleted />} />
