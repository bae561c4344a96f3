package dev.exactlyonce.gateway;

import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.core.Application;

/** Serves the gateway's resources at the root. */
@ApplicationPath("/")
public class GatewayApplication extends Application {}
