-- contract of 0037: the application adds no seals to the audit log; the job that seals is run as the owner

revoke insert on audit_seal from wayside_app;
